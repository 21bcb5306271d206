import assert from 'node:assert/strict';
import { Ajv, type ValidateFunction } from 'ajv';
import { type AllowedNulls, fieldAt } from './differences';
import { jsonSchemaOf, type OpenApiSchema } from './jsonSchema';
import { CONTRACT_OPERATIONS, type ContractOperation, operationAt } from './operations';

/** What every failure looks like, where the contract shows one. */
const FAILURE: OpenApiSchema = { type: 'object', properties: { status: { type: 'string', enum: ['error'] }, message: { type: 'string' } } };

/** Statuses that any endpoint may answer beside those of the contract: wrong parameters, no key, nothing there, bundle not landed, too many requests. */
const ELSEWHERE: ReadonlySet<number> = new Set([400, 401, 404, 422, 429]);

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
});
const validators = new Map(
  CONTRACT_OPERATIONS.flatMap((operation) =>
    Object.keys(operation.responses).map((status) => [keyOf(operation, status), validatorOf(operation, status)]),
  ),
);

/**
 * Checks an answer against the published contract.
 * @param path from the base path on, with or without a query
 * @param nulls which nulls the engine may answer against the contract; without it, none
 * @throws AssertionError that says what does not fit
 */
export function checkContract(method: string, path: string, status: number, body: unknown, nulls?: AllowedNulls): void {
  const operation = operationAt(method, path);
  assert.ok(operation, `The contract has no ${method} ${path}`);
  const isDocumented = String(status) in operation.responses;
  assert.ok(isDocumented || ELSEWHERE.has(status), `${method} ${operation.path} answers ${status}, which is not in the contract`);
  const validate = validators.get(keyOf(operation, String(status))) ?? ajv.compile(jsonSchemaOf(FAILURE));
  validate(body);
  const errors = (validate.errors ?? []).filter(({ instancePath }) => {
    const { name, value } = fieldAt(body, instancePath.split('/').slice(1));
    return value !== null || nulls?.isAllowed(method, path, name) !== true;
  });
  assert.ok(
    errors.length === 0,
    `${method} ${path} answers ${status} with what does not fit the contract:\n${ajv.errorsText(errors, { separator: '\n' })}\n${JSON.stringify(body).slice(0, 600)}`,
  );
}

function validatorOf({ responses }: ContractOperation, status: string): ValidateFunction {
  return ajv.compile(jsonSchemaOf(responses[status] ?? (status === '200' ? {} : FAILURE)));
}

function keyOf({ method, path }: ContractOperation, status: string): string {
  return `${method} ${path} ${status}`;
}
