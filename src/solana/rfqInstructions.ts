import { accountRoles } from './accountRoles';
import type { InstructionLayout } from './instructionCodec';

/**
 * The one instruction of Jupiter's order engine for quotes by market makers ("JupiterZ"). Source: `idls/order_engine.json` of
 * jup-ag/rfq-webhook-toolkit. An optional account that is not given is named by the program's own id and stands for SOL of the
 * wallet itself; the program allows that only where the mint is wrapped SOL.
 */
export const RFQ_INSTRUCTIONS: readonly InstructionLayout[] = [
  {
    name: 'fill',
    discriminator: 'a860b7a35c0a28a0',
    accounts: accountRoles(
      'taker*+', 'maker*+', 'taker_input_mint_token_account+?', 'maker_input_mint_token_account+?', 'taker_output_mint_token_account+?',
      'maker_output_mint_token_account+?', 'input_mint', 'input_token_program', 'output_mint', 'output_token_program', 'system_program',
    ),
    args: [['input_amount', 'u64'], ['output_amount', 'u64'], ['expire_at', 'i64']],
  },
];
