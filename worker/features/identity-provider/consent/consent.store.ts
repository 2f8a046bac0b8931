import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { excluded, type Statement } from '../../../platform/statements.ts'
import { type OAuthConsent, oauthConsents } from '../identity-provider.table.ts'

/** Writes a consent down, or adds its scopes to the one on record, whoever else agrees meanwhile. One round trip. */
export const saveConsent = (db: Database, use: Statement, consent: OAuthConsent) => db.batch([use, upsert(db, consent)])

const upsert = (db: Database, consent: OAuthConsent) =>
  db
    .insert(oauthConsents)
    .values(consent)
    .onConflictDoUpdate({
      target: [oauthConsents.userId, oauthConsents.clientId],
      set: {
        scopes: sql`case when ${oauthConsents.consentGiven} then
          (select group_concat(value, ' ') from (
            select value from json_each('["' || replace(${oauthConsents.scopes}, ' ', '","') || '"]')
            union select value from json_each('["' || replace(${excluded(oauthConsents.scopes)}, ' ', '","') || '"]')))
          else ${excluded(oauthConsents.scopes)} end`,
        consentGiven: true,
        clientName: consent.clientName,
        updatedAt: consent.updatedAt,
      },
    })
