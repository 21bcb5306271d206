import fs from 'node:fs';
import { readArguments } from '../../../../src/sandbox/arguments';
import { startSandbox } from '../../../../src/sandbox/sandbox';
import type { RunningService } from '../../../../src/engine/process/serviceProcess';
import type { ReadyLine } from '../process';
import type { Answer, Request } from './sharedProcess';

// A process that runs the sandboxes of many tests one after another. It ends with its parent.

// No machine is switched off here, and each landing would wait for the disk. Tests of what a kill leaves start a process of their own.
fs.fsyncSync = () => undefined;

const running = new Map<number, RunningService<ReadyLine>>();

async function answer(request: Request): Promise<Answer> {
  const { id } = request;
  if (request.kind === 'stop') {
    const sandbox = running.get(request.sandbox);
    running.delete(request.sandbox);
    await sandbox?.stop();
    return { id };
  }
  const options = readArguments(request.args);
  if (options === undefined) {
    throw new Error('The arguments only ask for help');
  }
  const messages: string[] = [];
  const sandbox = await startSandbox(options, {
    log: (message) => void messages.push(message),
    end: (error) => {
      process.stderr.write(`${messages.join('\n')}\n${error.stack ?? error.message}\n`);
      process.exit(1);
    },
  });
  running.set(id, sandbox);
  return { id, line: sandbox.line };
}

process.on('message', (request: Request) => {
  answer(request)
    .catch((error: unknown): Answer => ({ id: request.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }))
    .then((result) => process.send?.(result))
    .catch(() => undefined);
});
process.on('disconnect', () => process.exit());
