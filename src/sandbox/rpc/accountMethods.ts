import * as z from 'zod';
import { accountStyle, accountView } from './accountView';
import { invalidParams } from './errors';
import { method, type Method } from './method';
import { AccountConfig, ContextConfig, inContext, readAddress, withConfig } from './parameters';

const MOST_ACCOUNTS = 100;

/** Accounts and their lamports. */
export const accountMethods: Readonly<Record<string, Method>> = {
  getBalance: method(withConfig(z.string(), ContextConfig), (node, [of, config]) =>
    inContext(node, config, node.account(readAddress(of))?.lamports ?? 0n),
  ),

  getAccountInfo: method(withConfig(z.string(), AccountConfig), (node, [of, config]) => {
    const account = node.account(readAddress(of));
    return inContext(node, config, account === undefined ? null : accountView(node.chain, account, accountStyle(config, 'binary')));
  }),

  getMultipleAccounts: method(withConfig(z.array(z.string()), AccountConfig), (node, [addresses, config]) => {
    if (addresses.length > MOST_ACCOUNTS) {
      throw invalidParams(`Too many inputs provided; max ${MOST_ACCOUNTS}`);
    }
    const style = accountStyle(config, 'base64');
    const accounts = addresses.map(readAddress).map((of) => node.account(of));
    return inContext(
      node,
      config,
      accounts.map((account) => (account === undefined ? null : accountView(node.chain, account, style))),
    );
  }),
};
