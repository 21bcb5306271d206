import * as z from 'zod';

// What dist/mcp.js and a window of Binsight say to each other over the local socket: one JSON object a line. The first line of the program is
// the secret; a window that gets another one closes the connection.

/** Increases when the messages change. */
export const WIRE_VERSION = 1;

/** Largest message of the program: a call with its input. */
export const MOST_REQUEST_BYTES = 64 * 1024;
/** Largest message of the window: an answer, whose JSON is a text in JSON (runTool.ts bounds its characters). */
export const MOST_ANSWER_BYTES = 1024 * 1024;
/** Longest time of a call; reads wait up to 30 s for the service's request limit. */
export const CALL_TIMEOUT_MS = 60_000;
/** Longest time until the secret has arrived. */
export const HELLO_TIMEOUT_MS = 5_000;

const id = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The first message to the window. */
export const helloMessage = z.strictObject({ version: z.literal(WIRE_VERSION), secret: z.string().max(200) });

/** A message to the window. */
export const requestMessage = z.union([
  z.strictObject({ id, tool: z.string().max(100), input: z.unknown() }),
  z.strictObject({ id, cancel: z.literal(true) }),
]);

/** The first message of the window. */
export const welcomeMessage = z.object({ version: z.literal(WIRE_VERSION) });

/** The answer of the window to a call. */
export const answerMessage = z.object({ id, isError: z.boolean(), json: z.string() });

/** Extension of the files that announce windows. */
export const SESSION_EXTENSION = '.json';
export const MOST_SESSION_BYTES = 4_096;

/** A file that announces a window: where it listens, and the secret of this session. Only the user can read it. */
export const sessionFile = z.object({
  version: z.literal(WIRE_VERSION),
  pid: z.number().int().positive(),
  /** Path of the socket, or name of the pipe. */
  socket: z.string().min(1).max(1_000),
  secret: z.string().min(32).max(200),
  /** The workspace; empty: none. */
  window: z.string().max(200),
  /** When the window last had the focus, milliseconds since 1970. */
  focusedAtMs: z.number(),
});
export type SessionFile = z.output<typeof sessionFile>;
