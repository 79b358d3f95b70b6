// Lets the page take its answers from the film that it is in. Imported before the page itself.

import { answerFrom } from "../answers.ts";
import { FilmSource } from "./source.ts";

const film = new FilmSource();
answerFrom((path) => film.answer(path));
