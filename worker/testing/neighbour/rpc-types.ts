import type { ServerApi } from '../../rpc/rpc.ts'

/**
 * For the type check only. Over a service binding a result with a part that cannot be serialized becomes `never`,
 * together with the branch `ok: true`, so that a caller could not read the result. This test checks every method.
 */
type Neighbour = Service<ServerApi>

type Answer<M extends keyof ServerApi & string> = Neighbour[M & keyof Neighbour] extends (...given: never[]) => infer R
  ? Awaited<R>
  : never

/** The methods that return `{ ok: true, result }` or an error. */
type Operations = {
  [M in keyof ServerApi & string]-?: ReturnType<Extract<ServerApi[M], (...given: never[]) => unknown>> extends Promise<
    infer R
  >
    ? [Extract<R, { ok: true }>] extends [never]
      ? never
      : M
    : never
}[keyof ServerApi & string]

/** The operations whose results another Worker cannot read. */
type Vanishing = {
  [M in Operations]: [Extract<Answer<M>, { ok: true }>] extends [never] ? M : never
}[Operations]

export const noneVanishes: [Vanishing] extends [never] ? true : Vanishing = true

type Seen = NonNullable<Answer<'getSession'>>
export const sessionIsSeen: [Seen['user']['email'], Seen['session']['userId']] extends [string, string] ? true : Seen =
  true
