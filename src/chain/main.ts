import * as z from 'zod';
import { runServiceProcess } from '../engine/process/serviceProcess';
import { HELP, readArguments } from './arguments';
import { STATUS_PATH } from './app';
import { startService } from './service';

await runServiceProcess({
  noun: 'service',
  instance: { name: 'service', line: z.object({ url: z.url(), apiKey: z.string(), pid: z.int() }), statusPath: STATUS_PATH },
  help: HELP,
  readArguments: (given) => readArguments(given, process.env),
  load: () => Promise.resolve(startService),
});
