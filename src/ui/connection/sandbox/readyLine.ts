import * as l10n from '@vscode/l10n';
import { parseAddress, type Address } from '../../../base/solana/address';
import { SandboxError } from '../../shell/connectionErrors';

/** The line that the sandbox prints once it listens. */
export interface SandboxReady {
  /** "http://127.0.0.1:PORT/open-api/v1" */
  readonly url: string;
  readonly apiKey: string;
  readonly owner: Address;
  /** 64-byte key of `owner` in base58. It holds pretend money, but is kept like a real key. */
  readonly secretKey: string;
  readonly pid: number;
}

const LOOPBACK = '127.0.0.1';

/**
 * Parses the line that the sandbox prints once it is ready.
 * @throws SandboxError if a field is missing or invalid, or if the sandbox listens beyond this machine. The error never quotes
 * the line, which contains secrets.
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
    // The parser's message would quote the line.
  }
  throw new SandboxError('failed', l10n.t('The sandbox started but did not report its address.'));
}

function text(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') {
    throw wrong(name);
  }
  return value;
}

function wrong(field: string): SandboxError {
  return new SandboxError('failed', l10n.t`The sandbox started, but its "${field}" is missing or invalid.`);
}
