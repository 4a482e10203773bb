/** The server's /openapi.json as what the page shows: operations by group, what they take and what they answer. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema | boolean;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
}

interface Content {
  schema?: Schema;
}

interface RawOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { required?: boolean; content?: Record<string, Content> };
  responses?: Record<string, { description?: string; content?: Record<string, Content> }>;
}

export interface OpenApi {
  info: { title: string; version: string; summary?: string };
  paths: Record<string, Record<string, RawOperation>>;
  components?: { schemas?: Record<string, Schema> };
  tags?: { name: string; description?: string }[];
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: { name: string; where: string; required: boolean; text: string; description: string }[];
  body: { type: string; text: string }[];
  answers: { status: string; description: string; text: string }[];
}

export interface Group {
  name: string;
  description: string;
  operations: Operation[];
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Groups in the order in which they first occur. */
export function groupsOf(api: OpenApi): Group[] {
  const groups = new Map<string, Group>();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const method of METHODS) {
      const raw = methods[method];
      if (!raw) continue;
      const name = raw.tags?.[0] ?? "other";
      if (!groups.has(name)) groups.set(name, { name, description: api.tags?.find((tag) => tag.name === name)?.description ?? "", operations: [] });
      groups.get(name)!.operations.push(operationOf(method, path, raw));
    }
  }
  return [...groups.values()];
}

function operationOf(method: string, path: string, raw: RawOperation): Operation {
  return {
    id: raw.operationId ?? `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary: raw.summary ?? "",
    description: raw.description ?? "",
    parameters: (raw.parameters ?? []).map((one) => ({
      name: one.name,
      where: one.in,
      required: one.required ?? false,
      text: typeText(one.schema),
      description: one.description ?? one.schema?.description ?? "",
    })),
    body: Object.entries(raw.requestBody?.content ?? {}).map(([type, content]) => ({ type, text: typeText(content.schema) })),
    answers: Object.entries(raw.responses ?? {}).map(([status, answer]) => ({
      status,
      description: answer.description ?? "",
      text: Object.entries(answer.content ?? {})
        .map(([type, content]) => (type.includes("json") ? typeText(content.schema) : type))
        .filter((text) => text !== "any")
        .join(" or "),
    })),
  };
}

function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** A type in a few words: `text`, `list of MatchInfo`, `"open" or "over"`, `number from 1 to 100`. */
export function typeText(schema: Schema | boolean | undefined): string {
  if (schema === undefined || typeof schema === "boolean") return "any";
  if (schema.$ref) return refName(schema.$ref);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(" or ");
  if (schema.allOf?.length === 1) return typeText(schema.allOf[0]);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? ""];
  return types.map((type) => plainType(type, schema)).join(" or ");
}

function plainType(type: string, schema: Schema): string {
  switch (type) {
    case "string":
      return schema.format === "binary" ? "file" : "text";
    case "integer":
    case "number":
      return (type === "integer" ? "whole number" : "number") + range(schema);
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "array":
      return schema.prefixItems ? `[${schema.prefixItems.map(typeText).join(", ")}]` : `list of ${typeText(schema.items)}`;
    case "object":
      return schema.properties ? `{${Object.keys(schema.properties).join(", ")}}` : schema.additionalProperties ? `object of ${typeText(schema.additionalProperties)}` : "object";
    default:
      return "any";
  }
}

function range(schema: Schema): string {
  const [from, to] = [schema.minimum, schema.maximum];
  if (from !== undefined && to !== undefined && to < 2 ** 31 - 1) return ` from ${from} to ${to}`;
  return from !== undefined ? ` from ${from}` : "";
}
