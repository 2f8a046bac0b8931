import type { Endpoints } from './endpoints.ts'

/** What an endpoint of the map looks like; `never` or `undefined` means that it takes none. */
export interface Endpoint {
  method: string
  body: unknown
  query: unknown
  answer: unknown
}

/** An answer that is not a success. `status` is 0 when the server could not be reached at all. */
export interface AuthError {
  status: number
  statusText: string
  code?: string
  message?: string
  /** Which fields of the body were refused, for a VALIDATION_ERROR. */
  issues?: { path: string; message: string }[]
  /** Seconds to wait, from X-Retry-After of a 429. */
  retryAfter?: number
  [more: string]: unknown
}

/** The answer of every call: exactly one side is there. (`data` may be null in a success: get-session of a visitor.) */
export type Result<Data> = { data: Data; error: null } | { data: null; error: AuthError }

/** Options of one call; all that `fetch` takes goes through. */
export interface CallOptions extends Omit<RequestInit, 'body' | 'method'> {
  method?: string
  query?: Record<string, unknown>
  onSuccess?(context: { data: unknown; response: Response }): void
  onError?(context: { error: AuthError; response: Response | null }): void
  /** Answer the data itself, and throw the error. */
  throw?: boolean
}

/** Text of an answer, parsed: the fields that the protocol fills with dates are `Date`s. */
export type Parsed<T> = T extends Date
  ? Date
  : T extends readonly (infer Item)[]
    ? Parsed<Item>[]
    : T extends object
      ? { [Key in keyof T]: Key extends DateField ? DateOf<T[Key]> : Parsed<T[Key]> }
      : T

type DateField = `${string}At` | 'banExpires' | 'lastRequest'
type DateOf<T> = T extends string ? Date : T

type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text

// `{ sendOtp(): … }` under `twoFactor` from '/two-factor/send-otp'. Paths with a parameter cannot be spelled as names.
type Nest<Path extends string, Leaf> = Path extends `/${infer Rest}`
  ? Nest<Rest, Leaf>
  : Path extends `${infer Head}/${infer Tail}`
    ? { [Key in Camel<Head>]: Nest<Tail, Leaf> }
    : { [Key in Camel<Path>]: Leaf }

type Together<Union> = (Union extends unknown ? (part: Union) => void : never) extends (whole: infer All) => void
  ? All
  : never

// A `never` or `undefined` body adds nothing to the first argument.
type Input<E extends Endpoint> = BodyPart<Exclude<E['body'], undefined>> &
  QueryPart<Exclude<E['query'], undefined>> & { fetchOptions?: CallOptions }
type BodyPart<Body> = [Body] extends [never] ? unknown : Body
type QueryPart<Query> = [Query] extends [never]
  ? { query?: undefined }
  : Partial<Query> extends Query
    ? { query?: Spelled<Query> }
    : { query: Spelled<Query> }
// What the server reads as text may be given as what it spells.
type Spelled<Query> = { [Key in keyof Query]: string extends Query[Key] ? Query[Key] | boolean | number : Query[Key] }

/** The function behind one path: its argument may be left out when nothing in it is required. */
export type Call<E extends Endpoint> =
  Partial<Input<E>> extends Input<E>
    ? (input?: Input<E>, options?: CallOptions) => Promise<Result<Parsed<E['answer']>>>
    : (input: Input<E>, options?: CallOptions) => Promise<Result<Parsed<E['answer']>>>

/** Every path of a map as a chain of names: `client.signIn.email({ … })` is POST /sign-in/email. */
export type Calls<Map extends { [Path in keyof Map]: Endpoint }> = Together<
  {
    [Path in keyof Map & string]: Path extends `${string}${':' | '{' | '.'}${string}`
      ? never
      : Nest<Path, Call<Map[Path]>>
  }[keyof Map & string]
>

export type AuthCalls = Calls<Endpoints>
export type AnswerOf<Path extends keyof Endpoints> = Parsed<Endpoints[Path]['answer']>
