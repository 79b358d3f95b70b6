// What people say, in words: the ids in it lead to what they name, and goods in capitals are counted as English does.
// It is foreign text, and stays text.

import { isItem } from "./blocks.ts";
import { amount, nameOfGoods } from "./society.ts";
import type { Piece } from "./story.ts";
import { actionWords, blockWord, blueprintWord, isAction } from "./words.ts";

const ID = /\b(C\d{6}|ORG\d{6}|LAW\d{6}|LAND_A\d+_\d+)\b/;
const BLOCK_AT_CELL = /\b([A-Z][A-Z_]{1,30})@(-?\d{1,6},-?\d{1,6},-?\d{1,6})/;
const COUNT_OF_ITEM = /\b(\d{1,9}) ([A-Z][A-Z_]{1,30})\b/;
const WORD_OF_THE_RULES = /\b(BUILD|GATHER|DELIVER|[a-z]+(?:_[a-z0-9]+)+)\b/;
const CODE = /\b([A-Z]+(?:_[A-Z]+)+)\b/;
const NAMED = new RegExp(
  [ID, BLOCK_AT_CELL, COUNT_OF_ITEM, WORD_OF_THE_RULES, CODE].map(({ source }) => source).join("|"),
  "g",
);

export function pieces(said: string, nameOf: (id: string) => string): Piece[] {
  const parts: Piece[] = [];
  let from = 0;
  for (const found of said.matchAll(NAMED)) {
    const { 0: whole, 1: id, 2: block, 3: cell, 4: count, 5: item, 6: word, 7: code, index } = found;
    if (item && !isItem(item)) continue;
    if (code && !isAction(code) && !isItem(code)) continue;
    parts.push({ text: said.slice(from, index) });
    if (id) parts.push({ text: nameOf(id), see: id });
    else if (cell) parts.push({ text: thingAt(block, cell, said.slice(0, index)), see: `@${cell}` });
    else if (code) parts.push({ text: isAction(code) ? actionWords(code) : nameOfGoods(code) });
    else parts.push({ text: word ? blueprintWord(word) : amount(item, Number(count)) });
    from = index + whole.length;
  }
  parts.push({ text: said.slice(from) });
  return parts.filter(({ text }) => text);
}

/** A block by its word; where a sentence has named it already ("The store is …"), where it stands. */
const thingAt = (block: string, cell: string, before: string): string =>
  /\bthe \w+ is $/i.test(before) ? `at ${cell.replaceAll(",", " ")}` : `the ${blockWord(block)}`;

/** The same without links, for where there can be none. */
export const plainly = (said: string, nameOf: (id: string) => string): string =>
  pieces(said, nameOf)
    .map(({ text }) => text)
    .join("");

/** What helps after a refusal, with things as people call them; actions keep the names that agents send. */
export const hintInWords = (hint: string): string =>
  hint.replace(/\b[A-Z][A-Z_]{2,30}\b/g, (code) => (isItem(code) ? blockWord(code) : code));
