import type * as z from 'zod'
import type { Contract, Endpoint } from './endpoint.ts'

type InputOf<E extends Endpoint, Part extends 'query' | 'body'> = E['input'] extends {
  readonly [P in Part]: infer S extends z.ZodType
}
  ? z.input<S>
  : undefined

interface Exchange<E extends Endpoint> {
  method: E['method']
  body: InputOf<E, 'body'>
  query: InputOf<E, 'query'>
  answer: E['answer'] extends z.ZodType ? z.output<E['answer']> : never
}

/** The endpoints of some contracts by path: method, body, query and answer. */
export type EndpointsOf<Contracts extends Contract> = {
  [K in keyof Contracts as Contracts[K]['path']]: Exchange<Contracts[K]>
}

type KeyOf<Union> = Union extends unknown ? keyof Union : never
type At<Union, K> = Union extends unknown ? (K extends keyof Union ? Union[K] : never) : never
export type Optional<Union> = { [K in KeyOf<Union>]?: At<Union, K> }
type AllAt<Union, K> = (
  Union extends unknown
    ? K extends keyof Union
      ? (value: Union[K]) => void
      : never
    : never
) extends (value: infer All) => void
  ? All
  : never

/** The merged public configuration of the features. @template Sometimes the parts of features that can be off */
export type MergedConfiguration<Always, Sometimes> = {
  [K in KeyOf<Always>]: K extends KeyOf<Sometimes> ? AllAt<Always, K> & Optional<At<Sometimes, K>> : AllAt<Always, K>
} & { [K in Exclude<KeyOf<Sometimes>, KeyOf<Always>>]?: At<Sometimes, K> }
