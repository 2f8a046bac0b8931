/** What every response about a user has. */
export interface UserFacts {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  createdAt: Date
  updatedAt: Date
}

/** What every response about the caller's session has. */
export interface SessionFacts {
  id: string
  userId: string
  /** Without its signature: it identifies the session in operations and is not a credential. */
  token: string
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
  ipAddress: string
  userAgent: string
}
