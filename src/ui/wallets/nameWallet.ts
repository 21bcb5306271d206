import * as l10n from '@vscode/l10n';
import { shortAddress } from '../../base/format/identifiers';
import { parseAddress } from '../../base/solana/address';
import type { CommandHandler } from '../shell/commands/runCommand';
import { UserError } from '../shell/errors';
import type { Reading } from '../shell/prompts/prompts';
import { plainText } from '../shell/views/text';
import { LONGEST_WALLET_NAME, type NamedWallet, walletNameOf } from './walletNames';
import { pickOwner, type WalletCommandDependencies, watchRemedy } from './walletSelection';

/** Names the wallet in use, or another one. */
export function nameWallet({ prompts, owners, service }: WalletCommandDependencies): CommandHandler {
  return async (target) => {
    const known = owners.known(service());
    const current = owners.active(service());
    if (current === undefined) {
      throw new UserError(l10n.t('No wallets yet. Import a wallet key or watch an address first.'), watchRemedy());
    }
    const title = l10n.t('Name Wallet');
    const named = known.find(({ address }) => target?.kind === 'wallet' && address === target.address);
    const owner =
      named ??
      (known.length === 1
        ? current
        : await pickOwner({ title, placeholder: l10n.t('Choose a wallet'), among: known, current }, prompts, owners));
    if (owner === undefined) {
      return;
    }
    const others = known.filter(({ address }) => address !== owner.address);
    const answer = await prompts.input({
      title,
      prompt: l10n.t`Name of ${owner.address}, for you only. Leave empty for none.`,
      ...(owner.name === undefined ? {} : { initial: owner.name }),
      read: (text) => readWalletName(text, others),
    });
    if (answer.kind === 'value') {
      await owners.rename(owner.address, answer.value);
    }
  };
}

/** Reads a name as typed. Empty removes the name. @param others the other wallets that are in use with the service */
function readWalletName(text: string, others: readonly NamedWallet[]): Reading<string | undefined> {
  if (plainText(text) === '') {
    return { ok: true, value: undefined, note: l10n.t('Without a name, the wallet is shown by its address.') };
  }
  const name = walletNameOf(text);
  if (name === undefined) {
    return { ok: false, message: l10n.t`At most ${LONGEST_WALLET_NAME} characters.` };
  }
  // It could be mistaken for another wallet.
  if (parseAddress(name) !== undefined || others.some(({ address }) => shortAddress(address) === name)) {
    return { ok: false, message: l10n.t('A name, not an address.') };
  }
  return others.some((other) => other.name?.toLowerCase() === name.toLowerCase())
    ? { ok: false, message: l10n.t('Another wallet has this name.') }
    : { ok: true, value: name };
}
