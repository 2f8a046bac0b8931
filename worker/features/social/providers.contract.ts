/** What `GET /config` returns. */
export interface PublicConfiguration {
  /** `oauth2` providers start at /sign-in/oauth2, the others at /sign-in/social. */
  providers: { id: string; name: string; kind: 'social' | 'oauth2'; withoutEmail?: boolean }[]
}
