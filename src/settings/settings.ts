import { MOST_ADDRESSES } from './rules';
import type { SettingSection } from './settingDeclaration';

/**
 * All settings of the extension. `npm run generate` writes from them `contributes.configuration` and `restrictedConfigurations` of package.json,
 * the English texts of package.nls.json, the typed ids with their bounds (generated/settings.ts), docs/settings.md and a table of the README.
 */
export const SECTIONS: readonly SettingSection[] = [
  {
    id: 'connection',
    title: 'Connection',
    settings: {
      'binsight.service.baseUrl': {
        kind: 'text',
        default: '',
        inReadme: true,
        description:
          'Address of the service that provides positions and pools, with its version path; empty: the **sandbox**, with pretend money. `solana` selects a **Solana RPC** (`solana:GENESIS_HASH`: of another chain than mainnet). *Binsight: Connect to Service…* writes this setting.',
      },
      'binsight.service.requestsPerMinute': {
        kind: 'choice',
        default: 'automatic',
        inReadme: true,
        description:
          "Maximum number of requests a minute to the service, from all windows of this machine: the limit of your plan. **Automatic** learns it from the service's answers.",
        choices: [
          { value: 'automatic', label: 'Automatic' },
          { value: '5', label: '5 (Basic)' },
          { value: '10', label: '10 (Premium)' },
          { value: '20', label: '20 (Enterprise)' },
        ],
      },
      'binsight.refreshIntervalSeconds': {
        kind: 'integer',
        default: 60,
        minimum: 15,
        maximum: 3600,
        unit: 'seconds',
        unrestricted: true,
        description:
          'How often Binsight reads open positions, in seconds ({bounds}). It reads more often near an edge of a range and after an operation, and less often in the background. Each read is one request.',
      },
      'binsight.solanaRpc.requestsPerSecond': {
        kind: 'integer',
        default: 8,
        minimum: 1,
        maximum: 1000,
        unit: 'requests per second',
        description:
          'With *Solana RPC* as the service: maximum requests per second to the RPC ({bounds}). It takes effect when the local service next starts.',
      },
      'binsight.solanaRpc.publicData': {
        kind: 'switch',
        default: true,
        strictWhenFaulty: true,
        description:
          "With *Solana RPC* as the service: use Meteora's public data. It lists all pools, with volumes and candles, and results before the history is read. Meteora learns your wallets, the pools that you look at and what you search for. It takes effect when the local service next starts.",
      },
      'binsight.assistants.enabled': {
        kind: 'switch',
        default: false,
        inReadme: true,
        description:
          'Let assistants read your positions, pools and results, and propose operations, in VS Code or through MCP (*Binsight: Copy MCP Configuration*). Nothing is signed without your confirmation. What an assistant reads, including your address, goes to its provider. Off in Restricted Mode.',
      },
    },
  },
  {
    id: 'display',
    title: 'Lists and Status Bar',
    settings: {
      'binsight.currency': {
        kind: 'choice',
        default: 'usd',
        unrestricted: true,
        description: 'Currency of amounts in the status bar and panels.',
        choices: [
          { value: 'usd', label: 'US dollars' },
          { value: 'sol', label: 'SOL' },
        ],
      },
      'binsight.statusBar.template': {
        kind: 'line',
        default: '{pnl} ({percent}) · {outOfRange}',
        maximum: 200,
        unrestricted: true,
        description:
          'Text of the status bar while positions are listed. Placeholders: `{pnl}` (unrealized PnL), `{sinceFirstDeposit}` (PnL over all rebalances), `{percent}` (PnL in percent of deposits), `{value}`, `{fees}` (unclaimed fees), `{outOfRange}`, `{positions}`, `{service}`. Unknown figures are left out.',
      },
    },
  },
  {
    id: 'signing',
    title: 'Signing and Review',
    settings: {
      'binsight.slippageBps': {
        kind: 'integer',
        default: 100,
        minimum: 0,
        maximum: 10000,
        unit: 'basis points',
        unrestricted: true,
        inReadme: true,
        description:
          'Suggested slippage tolerance of *Zap In…* and *Zap Out…*, in basis points ({bounds}; 100 = 1%). A trade that turns out worse than its quote by more fails.',
      },
      'binsight.wallet.unlockMinutes': {
        kind: 'integer',
        default: 15,
        minimum: 1,
        maximum: 1440,
        unit: 'minutes',
        strictWhenFaulty: true,
        inReadme: true,
        description:
          'How long a wallet stays unlocked after you enter its passphrase, in minutes ({bounds}). *Binsight: Lock Wallets* locks all at once.',
      },
      'binsight.review.simulate': {
        kind: 'switch',
        default: true,
        strictWhenFaulty: true,
        description: 'Simulate transactions with a Solana RPC before they are signed, and compare the result with what you requested.',
      },
      'binsight.review.costCapSol': {
        kind: 'sol',
        default: 0.01,
        maximum: 0.05,
        strictWhenFaulty: true,
        description:
          'Maximum tip per operation, and maximum network and priority fees, in SOL, that need no confirmation ({bounds}). More than 0.05 SOL is blocked.',
      },
      'binsight.review.trustedPrograms': {
        kind: 'addresses',
        maximum: MOST_ADDRESSES,
        strictWhenFaulty: true,
        description:
          'Addresses of programs that Binsight asks about each time, instead of blocking the transactions that call them. Calls that are never part of a liquidity operation are always blocked.',
      },
      'binsight.review.feeRecipients': {
        kind: 'addresses',
        maximum: MOST_ADDRESSES,
        strictWhenFaulty: true,
        description:
          'Addresses that may receive a fee in SOL or in tokens of the pool. Binsight asks each time, for SOL up to `#binsight.review.feeRecipientCapSol#`; not for tokens if a simulation shows at most a tenth of the fees you collect.',
      },
      'binsight.review.feeRecipientCapSol': {
        kind: 'sol',
        default: 0.05,
        maximum: 1,
        strictWhenFaulty: true,
        description: 'Maximum SOL that all approved fee recipients together may receive from one operation ({bounds}).',
      },
    },
  },
  {
    id: 'notifications',
    title: 'Notifications',
    settings: {
      'binsight.notifications.leftRange': {
        kind: 'switch',
        default: true,
        unrestricted: true,
        description: 'Notify when a position leaves its range, as confirmed by a second read.',
      },
      'binsight.notifications.enteredRange': {
        kind: 'switch',
        default: false,
        unrestricted: true,
        description: 'Notify when a position is back in its range, as confirmed by a second read.',
      },
      'binsight.notifications.pnlAbovePercent': {
        kind: 'number',
        default: 0,
        minimum: 0,
        maximum: 100000,
        unit: 'percent',
        unrestricted: true,
        description: 'Notify when the PnL of a position rises to this percentage of its deposits ({bounds}). 0: never.',
      },
      'binsight.notifications.pnlBelowPercent': {
        kind: 'number',
        default: 0,
        minimum: -100,
        maximum: 0,
        unit: 'percent',
        unrestricted: true,
        description: 'Notify when the PnL of a position falls to this percentage of its deposits, for example -20 ({bounds}). 0: never.',
      },
      'binsight.notifications.feesAboveUsd': {
        kind: 'number',
        default: 0,
        minimum: 0,
        maximum: 1000000,
        unit: 'US dollars',
        unrestricted: true,
        description: 'Notify when the unclaimed fees of a position reach this value, in US dollars ({bounds}). 0: never.',
      },
      'binsight.notifications.operations': {
        kind: 'switch',
        default: true,
        unrestricted: true,
        description:
          'Notify outside the editor when an operation has ended in any window, and when auto-rebalance asks, needs you or begins to sign by its rules.',
      },
      'binsight.notifications.system': {
        kind: 'switch',
        default: true,
        description:
          'Also show notices as notifications of the operating system while the window is not in front. Binsight runs `notify-send`, `osascript` or `powershell.exe`, and passes only the pair and what happened. Not on remote machines or in a browser.',
      },
      'binsight.notifications.quietHours': {
        kind: 'text',
        default: '',
        pattern: '^$|^([01]?[0-9]|2[0-3]):[0-5][0-9]\\s*[-–]\\s*([01]?[0-9]|2[0-3]):[0-5][0-9]$',
        patternErrorMessage: 'Enter two different times such as 22:00-07:00, or leave it empty.',
        inReadme: true,
        description:
          'Quiet hours in local time, for example `22:00-07:00`, without notifications of the operating system. Messages to the webhook are sent as one when they end. Leave empty for none.',
      },
    },
  },
];
