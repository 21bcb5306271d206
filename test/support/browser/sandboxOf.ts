import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The sandbox that the windows of a profile work with, as it says itself for as long as it serves. */
export interface ProfileSandbox {
  readonly url: string;
  readonly apiKey: string;
  readonly owner: string;
  readonly pid: number;
}

/** Gives the sandbox of a profile. @throws ENOENT where none serves. */
export async function sandboxOf(profile: string): Promise<ProfileSandbox> {
  const file = join(profile, 'User', 'globalStorage', 'binsight.binsight', 'sandbox', 'sandbox.json');
  return JSON.parse(await readFile(file, 'utf8')) as ProfileSandbox;
}

/** Sets what goes wrong in a sandbox, in place of what was set before. */
export async function setFaults({ url, apiKey }: ProfileSandbox, faults: readonly unknown[]): Promise<void> {
  const answer = await fetch(new URL('/sandbox/faults', url), {
    method: 'PUT',
    headers: { 'x-api-key': apiKey },
    body: JSON.stringify({ faults }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

/** Asks a sandbox's service. */
export async function askService({ url, apiKey }: ProfileSandbox, path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(new URL(`/open-api/v1${path}`, url), { headers: { 'x-api-key': apiKey } });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Record<string, unknown>;
}
