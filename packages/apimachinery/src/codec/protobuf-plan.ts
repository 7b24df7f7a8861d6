import type { Field, ObjectSchema } from "../schema/schema.ts";

/** What a protobuf message holds: a field, or a message of an embedded struct whose fields are ours. */
export type ProtobufMember =
  | { readonly number: number; readonly field: Field; readonly embedded?: undefined }
  | { readonly number: number; readonly embedded: ProtobufPlan; readonly field?: undefined };

/** The members of a message by number, in order. */
export type ProtobufPlan = ReadonlyMap<number, ProtobufMember>;

const plans = new WeakMap<ObjectSchema, ProtobufPlan>(); // A cache: a plan depends on its schema alone.

/** How objects of this schema are laid out in protobuf. */
export function protobufPlan(schema: ObjectSchema): ProtobufPlan {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  const plan = buildPlan([...schema.fields.values()], 0);
  plans.set(schema, plan);
  return plan;
}

function buildPlan(fields: readonly Field[], depth: number): ProtobufPlan {
  const members: ProtobufMember[] = [];
  const embedded = new Map<number, Field[]>();
  for (const field of fields) {
    if (field.protobuf === undefined) continue;
    const outer = field.protobufInline?.[depth];
    if (outer === undefined) members.push({ number: field.protobuf, field });
    else embedded.set(outer, [...(embedded.get(outer) ?? []), field]);
  }
  for (const [number, inner] of embedded) members.push({ number, embedded: buildPlan(inner, depth + 1) });
  members.sort((a, b) => a.number - b.number);
  return new Map(members.map((member) => [member.number, member]));
}
