/** What the service calls the two kinds of pool (spec §4.4, guides: service-quirks.md). */
export const PROTOCOL_OF = { dlmm: 'meteora', dammV2: 'meteora_damm_v2' } as const;
