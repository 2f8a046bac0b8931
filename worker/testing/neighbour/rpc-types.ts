import type { ServerApi } from '../../rpc.ts'

/**
 * For the type check alone. Over a service binding a result that has a part that cannot travel becomes `never`, and with
 * it the branch that says `ok: true`: a caller could not read what they asked for. Every method is held against that.
 */
type Neighbour = Service<typeof ServerApi>

type Answer<M extends keyof ServerApi & string> = Neighbour[M & keyof Neighbour] extends (...given: never[]) => infer R
  ? Awaited<R>
  : never

/** The methods that answer `{ ok: true, result }` or why not. */
type Operations = {
  [M in keyof ServerApi & string]-?: ReturnType<Extract<ServerApi[M], (...given: never[]) => unknown>> extends Promise<
    infer R
  >
    ? [Extract<R, { ok: true }>] extends [never]
      ? never
      : M
    : never
}[keyof ServerApi & string]

/** The operations whose results a neighbour cannot read. */
type Vanishing = {
  [M in Operations]: [Extract<Answer<M>, { ok: true }>] extends [never] ? M : never
}[Operations]

export const noneVanishes: [Vanishing] extends [never] ? true : Vanishing = true

type Seen = NonNullable<Answer<'getSession'>>
export const sessionIsSeen: [Seen['user']['email'], Seen['session']['userId']] extends [string, string] ? true : Seen =
  true
