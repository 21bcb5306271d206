import { hasFields, messageOf } from './wire/envelope';

type Fields = Readonly<Record<string, unknown>>;

/** Statuses below 500 that pass: request timeout, too early, too many requests. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** How libraries name an error of validation in `name`, `code` or `type`: "ZodError", "FST_ERR_VALIDATION", "BadRequestException". */
const VALIDATION_NAME = /validation|zoderror|bad_?request|invalid_?(?:argument|param|input|request)|unprocessable/i;

/** Fields under which a list of validation issues stands, and fields by which an issue names what is wrong. */
const ISSUE_LISTS = ['errors', 'issues', 'details'] as const;
const ISSUE_FIELDS = ['path', 'field', 'param', 'parameter', 'property', 'instancePath'] as const;

/** Words of a refusal: something is missing, wrong, too much, or not there. */
const REFUSES =
  /\brequired\b|\bmissing\b|\binvalid\b|\bunsupported\b|\bmalformed\b|\binsufficient\b|\bnot (?:found|supported|allowed|valid|enough|a valid)\b|\bmust (?:not |only )?(?:be|have|contain|match|start|end)\b|\bshould (?:not )?be\b|\b(?:does not|doesn't) exist\b|\bcannot be (?:empty|null|zero|negative|less|greater|more)\b|\bout of range\b|\bexceeds?\b|\btoo (?:small|large|low|high|long|short|many bins)\b/i;

/** Words of a trouble that passes. They outweigh a refusal: "blockhash not found" and "invalid response from upstream" may succeed next time. */
const PASSES =
  /\btime(?:d[ -]?)?[ -]?out\b|\btemporar|\bunavailable\b|\boverload|\bbusy\b|\btoo many requests\b|\brate[ -]?limit|\bagain\b|\beconn|\benotfound\b|\beai_|\betimedout\b|\bsockets?\b|\bnetwork\b|\bfetch\b|\bupstream\b|\bgateway\b|\bconnection\b|\bresponse\b|\bblockhash\b|\bslot\b|\bblock (?:height|not)\b|\bnodes?\b|\brpc\b|\broutes?\b|\bquotes?\b|\bcongest|\bdeadlock\b|\bunexpected\b|\binternal\b/i;

/**
 * Tells whether the body of a 500 says that the request itself is at fault, so that the same request fails again. The public service answers
 * 500 for what other services answer 400 for, such as "Amount X or Amount Y or Percent X is required". The evidence, any of which suffices:
 *
 * - a status of its own between 400 and 499, except 408, 425 and 429, in `status`, `statusCode` or `code`;
 * - a list of validation issues that name a field, or a name of the error that says "validation" or "bad request";
 * - a message with words of a refusal ("is required", "invalid", "not found") and none of a trouble that passes ("timeout", "blockhash").
 *
 * Everything else is unclear: an empty body, a web page, "Internal server error". An unclear failure may pass.
 * @param body as it came
 */
export function isRequestAtFault(body: string): boolean {
  const text = body.trim();
  if (text === '' || text.startsWith('<')) {
    return false;
  }
  let parsed: unknown = text;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Plain text is its own message.
  }
  const levels = hasFields(parsed) ? [parsed, parsed.error, parsed.data].filter(hasFields) : [];
  if (levels.some(hasStatusOfRefusal) || levels.some(namesFields) || levels.some(isNamedValidation)) {
    return true;
  }
  const message = messageOf(parsed);
  return message !== undefined && REFUSES.test(message) && !PASSES.test(message);
}

function hasStatusOfRefusal({ status, statusCode, code }: Fields): boolean {
  return [status, statusCode, code].map(Number).some((value) => value >= 400 && value < 500 && !PASSING_STATUSES.has(value));
}

function namesFields(level: Fields): boolean {
  return ISSUE_LISTS.some((name) => {
    const list = level[name];
    return Array.isArray(list) && list.some((issue) => hasFields(issue) && ISSUE_FIELDS.some((field) => field in issue));
  });
}

function isNamedValidation({ name, code, type, error }: Fields): boolean {
  return [name, code, type, error].some((value) => typeof value === 'string' && VALIDATION_NAME.test(value.replace(/\s+/g, '_')));
}
