// What the cards of things share: the pill of a state, a list of people, the posts of a board.

import { type Post, when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import { stateWord } from "../words.ts";
import { Says, See } from "./see.tsx";

export interface Of {
  viewer: Viewer;
}

export function State({ of }: { of: string }) {
  const { word, mood } = stateWord(of);
  return (
    <span class="pill" data-mood={mood}>
      {word}
    </span>
  );
}

export const dayOf = (viewer: Viewer) => viewer.society?.day_ticks ?? 6000;

export const People = ({ viewer, ids }: Of & { ids: readonly string[] }) => (
  <>
    {ids.map((id, i) => (
      <>
        {i > 0 && ", "}
        <See viewer={viewer} id={id} />
      </>
    ))}
  </>
);

export function Posts({ viewer, posts }: Of & { posts: readonly Post[] }) {
  return (
    <ol class="posts">
      {posts.map((post) => (
        <li key={post.id}>
          <strong>
            <bdi>{post.title}</bdi>
          </strong>{" "}
          <Says viewer={viewer} text={post.body} />
          <small>
            {" "}
            <See viewer={viewer} id={post.author} />, {when(post.tick, dayOf(viewer))}
          </small>
        </li>
      ))}
    </ol>
  );
}
