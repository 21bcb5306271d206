// `node dist/review.js`: one case per line on standard input, one review per line on standard output, in the same order (src/review/README.md,
// "Try it"). No network, no settings, no state. Exits with 0 when all lines are answered.
import { answerLine } from './answer';
import { answerLines } from './answerLines';

await answerLines((line) => (line?.trim() === '' ? undefined : answerLine(line, Date.now())));
