import assert from 'node:assert/strict';
import bs58 from 'bs58';
import { adoptTestWallet } from '../../../src/ui/wallets/testWallet';
import { requireSigningOwner } from '../../../src/ui/wallets/walletSelection';
import { KeyRing } from '../../../src/ui/wallets/keyRing';
import { readIndex, writeIndex } from '../../../src/ui/wallets/ownerIndex';
import { Owners } from '../../../src/ui/wallets/owners';
import { UserError } from '../../../src/ui/shell/errors';
import { readServiceChoice, SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { addressBytes } from '../../../src/base/solana/address';
import { KeyError } from '../../../src/wallet/errors';
import { generateKey, type SecretKeyMaterial } from '../../../src/wallet/keys';
import { addressOf, FakeClock, OTHER_OWNER, OWNER } from '../../support/portfolio/fixtures';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { fail, MemorySecrets, MemoryState } from '../../support/ui/memory';

const REAL = readServiceChoice('https://example.org/v1');
const INVALID = readServiceChoice('nonsense');

function ownersIn(
  secrets = new MemorySecrets(),
  state = new MemoryState(),
): { readonly owners: Owners; readonly secrets: MemorySecrets; readonly state: MemoryState; readonly told: number[] } {
  const told: number[] = [];
  const owners = new Owners({
    ...{ secrets, state, onError: fail, clock: new FakeClock(), prompts: new ScriptedPrompts() },
    unlockMinutes: () => 15,
    createKeyRing: (dependencies) => Promise.resolve(new KeyRing(dependencies)),
    signReviewed: () => Promise.reject(new Error('nothing is signed here')),
  });
  owners.onDidChange(() => told.push(told.length));
  return { owners, secrets, state, told };
}

function sandboxOf(key: SecretKeyMaterial): { readonly owner: SecretKeyMaterial['address']; readonly secretKey: string } {
  return { owner: key.address, secretKey: bs58.encode(Buffer.concat([key.seed, addressBytes(key.address)])) };
}

describe('The wallets', () => {
  it('A key is stored only in the secrets, and importing it puts its wallet into use', async () => {
    const { owners, secrets, state } = ownersIn();
    const key = generateKey();
    await owners.importKey(key, REAL);
    assert.deepEqual(owners.active(REAL), { address: key.address, canSign: true, origin: 'user', hasPassphrase: false });
    assert.equal(secrets.kept.size, 1);
    const seed = bs58.encode(key.seed);
    assert.ok([...secrets.kept.values()].some((text) => text.includes(seed)));
    assert.ok(![...state.kept.values()].some((text) => text.includes(seed)));
  });

  it('Forgetting a key leaves a watch-only wallet, and removing the wallet leaves nothing', async () => {
    const { owners, secrets } = ownersIn();
    const key = generateKey();
    await owners.importKey(key, REAL);
    await owners.forgetKey(key.address);
    assert.equal(secrets.kept.size, 0);
    assert.deepEqual(owners.known(REAL), [{ address: key.address, canSign: false, origin: 'user', hasPassphrase: false }]);
    await owners.remove(key.address);
    assert.deepEqual(owners.known(REAL), []);
    assert.equal(owners.active(REAL), undefined);
  });

  it('Watching an address does not take the key from a wallet that has one', async () => {
    const { owners } = ownersIn();
    const key = generateKey();
    await owners.importKey(key, REAL);
    await owners.watch(OTHER_OWNER, REAL);
    assert.deepEqual(owners.active(REAL), { address: OTHER_OWNER, canSign: false, origin: 'user', hasPassphrase: false });
    await owners.watch(key.address, REAL);
    assert.equal(owners.active(REAL)?.canSign, true);
  });

  it('Each service has its own current wallet', async () => {
    const { owners } = ownersIn();
    const other = readServiceChoice('https://other.example/v1');
    await owners.watch(addressOf(1), REAL);
    await owners.watch(addressOf(2), other);
    assert.equal(owners.active(REAL)?.address, addressOf(1));
    assert.equal(owners.active(other)?.address, addressOf(2));
    await owners.activate(addressOf(2), REAL);
    assert.equal(owners.active(REAL)?.address, addressOf(2));
  });

  it('No wallet is current without a service', async () => {
    const { owners } = ownersIn();
    await owners.watch(addressOf(1), REAL);
    assert.equal(owners.active(INVALID), undefined);
  });

  it('Wallets are still known after a restart', async () => {
    const { owners, secrets, state } = ownersIn();
    await owners.watch(addressOf(1), REAL);
    assert.equal(ownersIn(secrets, state).owners.active(REAL)?.address, addressOf(1));
  });
});

describe("The sandbox's wallet", () => {
  it('The sandbox’s wallet is adopted once with its key and used if no other is chosen', async () => {
    const { owners, secrets, told } = ownersIn();
    const key = generateKey();
    await owners.adoptSandbox(sandboxOf(key));
    assert.deepEqual(owners.active(SANDBOX), { address: key.address, canSign: true, origin: 'sandbox', hasPassphrase: false });
    assert.equal(secrets.kept.size, 1);
    await owners.adoptSandbox(sandboxOf(key));
    assert.equal(told.length, 1);
  });

  it('The sandbox’s wallet is never offered to a real service or imported for one', async () => {
    const { owners } = ownersIn();
    const key = generateKey();
    await owners.adoptSandbox(sandboxOf(key));
    assert.deepEqual(owners.known(REAL), []);
    assert.equal(owners.active(REAL), undefined);
    await assert.rejects(owners.importKey(key, REAL), UserError);
    await assert.rejects(owners.watch(key.address, REAL), UserError);
    assert.equal(owners.active(REAL), undefined);
  });

  it('A forgotten sandbox wallet stays forgotten until the user imports it again', async () => {
    const secrets = new MemorySecrets();
    const state = new MemoryState();
    const key = generateKey();
    await ownersIn(secrets, state).owners.adoptSandbox(sandboxOf(key));
    await ownersIn(secrets, state).owners.forgetKey(key.address);
    const later = ownersIn(secrets, state).owners;
    await later.adoptSandbox(sandboxOf(key));
    assert.deepEqual(later.active(SANDBOX), { address: key.address, canSign: false, origin: 'sandbox', hasPassphrase: false });
    assert.equal(secrets.kept.size, 0);
    await later.importKey(key, SANDBOX);
    assert.deepEqual(later.active(SANDBOX), { address: key.address, canSign: true, origin: 'sandbox', hasPassphrase: false });
  });

  it('The sandbox’s wallet does not replace another wallet that the user has chosen', async () => {
    const secrets = new MemorySecrets();
    const state = new MemoryState();
    await ownersIn(secrets, state).owners.watch(OTHER_OWNER, SANDBOX);
    const later = ownersIn(secrets, state).owners;
    await later.adoptSandbox(sandboxOf(generateKey()));
    assert.equal(later.active(SANDBOX)?.address, OTHER_OWNER);
  });

  it('The sandbox’s wallet gets its key back if the secrets were lost', async () => {
    const state = new MemoryState();
    const key = generateKey();
    await ownersIn(new MemorySecrets(), state).owners.adoptSandbox(sandboxOf(key));
    const emptied = new MemorySecrets();
    await ownersIn(emptied, state).owners.adoptSandbox(sandboxOf(key));
    assert.equal(emptied.kept.size, 1);
  });

  it('The sandbox’s wallet is removed when the sandbox has another one', async () => {
    const secrets = new MemorySecrets();
    const state = new MemoryState();
    await ownersIn(secrets, state).owners.adoptSandbox(sandboxOf(generateKey()));
    const fresh = generateKey();
    const later = ownersIn(secrets, state).owners;
    await later.adoptSandbox(sandboxOf(fresh));
    assert.deepEqual(
      later.known(SANDBOX).map(({ address }) => address),
      [fresh.address],
    );
    assert.equal(later.active(SANDBOX)?.address, fresh.address);
    assert.equal(secrets.kept.size, 1);
  });
});

describe('The wallet of the test chain', () => {
  const testChain = readServiceChoice('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG');

  it('The wallet of the test chain is used there and never with the sandbox, another service or mainnet', async () => {
    const { owners } = ownersIn();
    const key = generateKey();
    await owners.adoptTestWallet(sandboxOf(key), testChain.id ?? '');
    assert.deepEqual(owners.active(testChain), { address: key.address, canSign: true, origin: 'testChain', hasPassphrase: false });
    for (const service of [REAL, SANDBOX, readServiceChoice('solana')]) {
      assert.deepEqual(owners.known(service), []);
      await assert.rejects(owners.importKey(key, service), /cannot be used with this service/);
      await assert.rejects(owners.watch(key.address, service), /cannot be used with this service/);
    }
  });

  it('The wallet of the test chain comes from the environment, and never on mainnet', async () => {
    const { owners } = ownersIn();
    const key = generateKey();
    const hidden: string[] = [];
    const adopt = (id: string, secretKey: string | undefined) =>
      adoptTestWallet({ id, owners, hide: (secret) => hidden.push(secret), secretKey });
    const { secretKey } = sandboxOf(key);
    await adopt('solana', secretKey);
    await adopt(testChain.id ?? '', undefined);
    await adopt(testChain.id ?? '', '');
    assert.deepEqual(owners.known(testChain), []);
    await adopt(testChain.id ?? '', secretKey);
    assert.equal(owners.active(testChain)?.address, key.address);
    assert.deepEqual(hidden, [secretKey]);
    await assert.rejects(
      adopt(testChain.id ?? '', 'no key'),
      (error: unknown) => error instanceof KeyError && !error.message.includes('no key'),
    );
  });

  it('A browser window signs with pretend money only', async () => {
    const { owners } = ownersIn();
    const [own, pretend] = [generateKey(), generateKey()];
    await owners.importKey(own, testChain);
    const requireSigner = (service: typeof testChain) => requireSigningOwner({ isInBrowser: true, service: () => service, owners });
    assert.throws(() => requireSigner(testChain), /desktop VS Code\./);
    await owners.adoptTestWallet(sandboxOf(pretend), testChain.id ?? '');
    await owners.activate(pretend.address, testChain);
    assert.equal(requireSigner(testChain).address, pretend.address);
    assert.throws(() => requireSigner(REAL), /desktop VS Code\./);
  });
});

describe('A generated sandbox wallet', () => {
  it('A generated sandbox wallet is used in the sandbox and never with a real service', async () => {
    const { owners, secrets } = ownersIn();
    const key = generateKey();
    await owners.addGenerated(key, SANDBOX);
    assert.deepEqual(owners.active(SANDBOX), { address: key.address, canSign: true, origin: 'generated', hasPassphrase: false });
    assert.deepEqual(owners.known(REAL), []);
    for (const attempt of [
      () => owners.importKey(key, REAL),
      () => owners.watch(key.address, REAL),
      () => owners.addGenerated(generateKey(), REAL),
      () => owners.addGenerated(generateKey(), INVALID),
    ]) {
      await assert.rejects(attempt, UserError);
    }
    await owners.activate(key.address, REAL);
    assert.equal(owners.active(REAL), undefined);
    assert.equal(secrets.kept.size, 1);
  });

  it('A generated wallet keeps its key when the sandbox changes its identity, whose own wallet becomes current', async () => {
    const secrets = new MemorySecrets();
    const state = new MemoryState();
    const made = generateKey();
    const first = ownersIn(secrets, state).owners;
    await first.adoptSandbox(sandboxOf(generateKey()));
    await first.addGenerated(made, SANDBOX);
    await ownersIn(secrets, state).owners.adoptSandbox(sandboxOf(generateKey()));
    const fresh = generateKey();
    const later = ownersIn(secrets, state).owners;
    await later.adoptSandbox(sandboxOf(fresh));
    assert.deepEqual(
      later.known(SANDBOX).map(({ address, canSign }) => [address, canSign]),
      [
        [made.address, true],
        [fresh.address, true],
      ],
    );
    assert.equal(later.active(SANDBOX)?.address, fresh.address);
    assert.equal(secrets.kept.size, 2);
  });

  it('A generated wallet stays in use when the same sandbox starts again', async () => {
    const secrets = new MemorySecrets();
    const state = new MemoryState();
    const own = generateKey();
    const made = generateKey();
    const first = ownersIn(secrets, state).owners;
    await first.adoptSandbox(sandboxOf(own));
    await first.addGenerated(made, SANDBOX);
    const later = ownersIn(secrets, state).owners;
    await later.adoptSandbox(sandboxOf(own));
    assert.equal(later.active(SANDBOX)?.address, made.address);
  });

  it('A generated wallet stays a sandbox wallet when its key is imported again', async () => {
    const { owners } = ownersIn();
    const key = generateKey();
    await owners.addGenerated(key, SANDBOX);
    await owners.forgetKey(key.address);
    await owners.importKey(key, SANDBOX);
    assert.equal(owners.active(SANDBOX)?.origin, 'generated');
  });
});

describe('The stored wallet index', () => {
  it('The readable part of the stored wallets is kept, and unreadable data counts as empty', () => {
    for (const stored of [
      undefined,
      null,
      7,
      'text',
      [],
      {},
      { v: '2', owners: [{ address: OTHER_OWNER }] },
      { v: 0, owners: [{ address: OTHER_OWNER }] },
    ]) {
      assert.deepEqual(readIndex(stored), { owners: [], active: {} });
    }
    const odd = {
      v: 2,
      owners: [null, { address: 'no address' }, { address: OTHER_OWNER, canSign: 'yes', origin: 'user' }],
      active: { sandbox: OTHER_OWNER, 'https://x': 5 },
    };
    assert.deepEqual(readIndex(odd), {
      owners: [{ address: OTHER_OWNER, canSign: false, origin: 'user', hasPassphrase: false }],
      active: { sandbox: OTHER_OWNER },
    });
  });

  it('The wallet index survives a round trip and keeps unknown origins from real services', () => {
    const index = {
      owners: [{ address: OWNER, canSign: true, origin: 'generated', hasPassphrase: true }],
      active: { sandbox: OWNER },
    } as const;
    assert.deepEqual(readIndex(JSON.parse(JSON.stringify(writeIndex(index)))), index);
    assert.equal(readIndex({ v: 2, owners: [{ address: OWNER, origin: 'testChain' }] }).owners[0]?.origin, 'testChain');
    for (const origin of [undefined, 'elsewhere', 5]) {
      assert.equal(readIndex({ v: 2, owners: [{ address: OWNER, origin }] }).owners[0]?.origin, 'generated');
    }
  });
});
