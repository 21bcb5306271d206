import type { nothing, TemplateResult } from 'lit-html';

/** Anything that can be rendered: a template, plain text, or nothing. */
export type Template = TemplateResult<1> | TemplateResult<2> | string | typeof nothing;
