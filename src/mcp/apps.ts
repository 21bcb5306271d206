import * as z from 'zod';
import type { ToolName } from '../assistants/definitions';
import page from './rangeApp.html';

// Pages that a host of an assistant draws beside the answer of a tool (MCP Apps, specification of 2026-01-26). A page is the same for all answers:
// the host runs it in a sandbox without network, and hands it the answer. Ours draw, and call no tool.

/** What the tools of the client are told apart by: a host that draws pages. */
const EXTENSION = 'io.modelcontextprotocol/ui';
export const APP_TYPE = 'text/html;profile=mcp-app';

/** The picture of a range, with the figures of the position or plan. */
export const RANGE_APP = { name: 'range', uri: 'ui://binsight/range', title: 'Range', html: page } as const;

const TOOLS_WITH_RANGE: ReadonlySet<ToolName> = new Set<ToolName>(['binsight_position', 'binsight_plan_cost']);

const drawingHost = z.object({ extensions: z.object({ [EXTENSION]: z.object({ mimeTypes: z.array(z.string()) }) }) });

/** Whether a host with these capabilities draws our pages. */
export function drawsApps(capabilities: unknown): boolean {
  const { data } = drawingHost.safeParse(capabilities);
  return data?.extensions[EXTENSION].mimeTypes.includes(APP_TYPE) === true;
}

/** The part of a tool's definition that names its page; `undefined`: it has none. A page may not call the tool. */
export function appOf(name: ToolName): { readonly ui: { readonly resourceUri: string; readonly visibility: string[] } } | undefined {
  return TOOLS_WITH_RANGE.has(name) ? { ui: { resourceUri: RANGE_APP.uri, visibility: ['model'] } } : undefined;
}
