import * as l10n from '@vscode/l10n';
import { parseAddress, type Address } from '../../../base/solana/address';
import { SandboxError } from '../../shell/connectionErrors';

/** What the sandbox says of itself once it listens. */
export interface SandboxReady {
  /** "http://127.0.0.1:PORT/open-api/v1" */
  readonly url: string;
  readonly apiKey: string;
  readonly owner: Address;
  /** Base58 of the 64-byte key of `owner`: pretend money, and yet kept like a real one. */
  readonly secretKey: string;
  readonly pid: number;
}

const LOOPBACK = '127.0.0.1';

/**
 * Reads the line that the sandbox prints once it is ready.
 * @throws SandboxError where a field is missing or wrong, or where it does not listen on this machine alone. The line
 * itself is never quoted: it has secrets in it.
 */
export function parseReadyLine(line: string): SandboxReady {
  const fields = parseObject(line);
  const owner = parseAddress(text(fields, 'owner'));
  if (owner === undefined) {
    throw wrong('owner');
  }
  const url = text(fields, 'url');
  if (!URL.canParse(url) || new URL(url).hostname !== LOOPBACK) {
    throw wrong('url');
  }
  const { pid } = fields;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) {
    throw wrong('pid');
  }
  return { url, apiKey: text(fields, 'apiKey'), owner, secretKey: text(fields, 'secretKey'), pid };
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed === 'object' && parsed !== null) {
      return parsed as Readonly<Record<string, unknown>>;
    }
  } catch {
    // The parser's own message quotes the line.
  }
  throw new SandboxError('failed', l10n.t('The sandbox started, but did not say where it listens.'));
}

function text(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') {
    throw wrong(name);
  }
  return value;
}

function wrong(field: string): SandboxError {
  return new SandboxError('failed', l10n.t`The sandbox started, but its "${field}" is missing or not usable.`);
}
