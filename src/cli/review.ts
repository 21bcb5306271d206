// `node dist/review.js`: one case per line on standard input, one review per line on standard output, in the same order (src/review/README.md,
// "Try it"). No network, no settings, no state. Exits with 0 when all lines are answered.
import { once } from 'node:events';
import { answerLine } from './answer';
import { linesOf } from './lines';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader closed the pipe.
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
