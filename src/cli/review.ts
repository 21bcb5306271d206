// `node dist/review.js`: one case a line on standard input, one review a line on standard output, in the same order. No network, no
// settings, no state; the form of both is that of the review policy (§16), and the README shows it. Ends with 0 when all lines were answered.
import { once } from 'node:events';
import { answerLine } from './answer';
import { linesOf } from './lines';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read the answers has had enough.
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

for await (const line of linesOf(process.stdin)) {
  if (line?.trim() === '') {
    continue;
  }
  if (!process.stdout.write(`${JSON.stringify(answerLine(line, Date.now()))}\n`)) {
    await once(process.stdout, 'drain');
  }
}
