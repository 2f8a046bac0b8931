import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type OAuthConsent, oauthConsents } from '../identity-provider.table.ts'

/** Writes a consent down, or adds its scopes to the one on record. One statement, whoever else agrees meanwhile. */
export const saveConsent = (db: Database, consent: OAuthConsent) =>
  db
    .insert(oauthConsents)
    .values(consent)
    .onConflictDoUpdate({
      target: [oauthConsents.userId, oauthConsents.clientId],
      set: {
        scopes: sql`case when ${oauthConsents.consentGiven} then
          (select group_concat(value, ' ') from (
            select value from json_each('["' || replace(${oauthConsents.scopes}, ' ', '","') || '"]')
            union select value from json_each('["' || replace(excluded.scopes, ' ', '","') || '"]')))
          else excluded.scopes end`,
        consentGiven: true,
        clientName: consent.clientName,
        updatedAt: consent.updatedAt,
      },
    })
