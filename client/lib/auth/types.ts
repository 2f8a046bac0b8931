/** The shape of an endpoint; `never` or `undefined` means no input. */
export interface Endpoint {
  method: string
  body: unknown
  query: unknown
  answer: unknown
}

/** An unsuccessful response. `status` is 0 if the server could not be reached. */
export interface AuthError {
  status: number
  statusText: string
  code?: string
  message?: string
  /** The invalid fields of a VALIDATION_ERROR. */
  issues?: { path: string; message: string }[]
  /** Seconds to wait, from X-Retry-After of a 429. */
  retryAfter?: number
  [more: string]: unknown
}

/** The result of a call. `data` may be null in a success: get-session of a visitor. */
export type Result<Data> = { data: Data; error: null } | { data: null; error: AuthError }

/** Options of one call, including those of `fetch`. */
export interface CallOptions extends Omit<RequestInit, 'body' | 'method'> {
  method?: string
  query?: Record<string, unknown>
  onSuccess?(context: { data: unknown; response: Response }): void
  onError?(context: { error: AuthError; response: Response | null }): void
  /** Return the data itself and throw errors. */
  throw?: boolean
}

/** A response after parsing: date fields of the protocol are `Date`s. */
export type Parsed<T> = T extends Date | string
  ? T
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
// Query parameters that the server reads as text also accept booleans and numbers.
type Spelled<Query> = { [Key in keyof Query]: string extends Query[Key] ? Query[Key] | boolean | number : Query[Key] }

/** The function of a path. Its argument is optional if all inputs are. */
export type Call<E extends Endpoint> =
  Partial<Input<E>> extends Input<E>
    ? (input?: Input<E>, options?: CallOptions) => Promise<Result<Parsed<E['answer']>>>
    : (input: Input<E>, options?: CallOptions) => Promise<Result<Parsed<E['answer']>>>

/** The paths of a map as a chain of names: `client.signIn.email({ … })` is POST /sign-in/email. */
export type Calls<Map extends { [Path in keyof Map]: Endpoint }> = Together<
  {
    [Path in keyof Map & string]: Path extends `${string}${':' | '{' | '.'}${string}`
      ? never
      : Nest<Path, Call<Map[Path]>>
  }[keyof Map & string]
>
