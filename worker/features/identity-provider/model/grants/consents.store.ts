import { and, eq, type SQLWrapper, sql } from 'drizzle-orm'
import type { Scope } from '../../../../identity/scope.ts'
import { newId } from '../../../../kit/random.ts'
import type { Database } from '../../../../platform/database.ts'
import { excluded } from '../../../../platform/statements.ts'
import { oauthConsents } from './grants.table.ts'

/** @param userId an expression */
export const selectConsent = (db: Database, clientId: string, userId: SQLWrapper) =>
  db
    .select()
    .from(oauthConsents)
    .where(and(eq(oauthConsents.clientId, clientId), eq(oauthConsents.userId, userId)))

/** For a batch: writes a consent, or adds its scopes to the stored one, even if parallel requests add others. */
export function addConsent(
  scope: Scope,
  userId: string,
  { clientId, name: clientName }: { clientId: string; name: string },
  granted: readonly string[],
) {
  const { scopes, consentGiven } = oauthConsents
  const now = scope.now()
  return scope.db
    .insert(oauthConsents)
    .values({
      id: newId(),
      ...{ clientId, userId, clientName },
      scopes: granted.join(' '),
      consentGiven: true,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoUpdate({
      target: [oauthConsents.userId, oauthConsents.clientId],
      set: {
        scopes: sql`case when ${consentGiven} then
          (select group_concat(value, ' ') from (
            select value from json_each('["' || replace(${scopes}, ' ', '","') || '"]')
            union select value from json_each('["' || replace(${excluded(scopes)}, ' ', '","') || '"]')))
          else ${excluded(scopes)} end`,
        consentGiven: true,
        clientName,
        updatedAt: now,
      },
    })
}
