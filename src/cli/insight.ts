// `node dist/insight.js`: one question per line on standard input, one answer per line on standard output, in the same order
// (src/base/insight/README.md, "Try it"). No network, no settings, no state. Exits with 0 when all lines are answered.
import { answerLines } from './answerLines';
import { answerQuestion } from './insightAnswer';

await answerLines(answerQuestion);
