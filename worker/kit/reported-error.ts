/** An error of a request, as a development server reports it to `gatehouse-auth dev`. Without body, query and headers. */
export interface ReportedError {
  /** `x-request-id` of the response. */
  requestId: string
  /** ISO 8601. */
  at: string
  method: string
  /** Below /api/auth, with the names of parameters; without an endpoint the whole path. */
  path: string
  status: number
  code: string
  message: string
  /** What the body has as `hint`. */
  hint?: string
  /** What only the log has. */
  reason?: string
  /** Of invalid input. */
  issues?: unknown
}
