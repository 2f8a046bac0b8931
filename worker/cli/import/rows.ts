import { createHash } from 'node:crypto'
import { twoFactors } from '../../features/two-factor/two-factor.table.ts'
import { accountOptions } from '../../identity/accounts/accounts.config.ts'
import { readHash } from '../../identity/accounts/hash-formats/foreign-hash.ts'
import { accounts } from '../../identity/model/accounts.table.ts'
import { users } from '../../identity/model/users.table.ts'
import { readAddress } from '../../kit/email-address.ts'
import { seal } from '../../kit/encrypt.ts'
import { isImageAddress, plainName } from '../../kit/inputs.ts'
import type { ImportedUser, ImportRecord, RowValues, TwoFactorSecret } from './records.ts'
import { RelatedRows } from './related-rows.ts'
import { type Row, rowOf, type Skipped } from './row.ts'

export interface RowOptions {
  /** GATEHOUSE_SECRET, which seals second factors and provider tokens. */
  secret: string | undefined
  /** Additional fields: our name -> the path in the source's row. */
  fields: ReadonlyMap<string, string>
  now: Date
}

/**
 * Turns records into rows and reports skipped ones with the reason. It stores the ids, addresses, names and numbers of
 * one import and reports the second of two equal ones as a duplicate.
 */
export class RowMaker {
  readonly skipped: Skipped[] = []
  /** A sample of every foreign hash's cost, for account.importedHashes. */
  readonly samples = new Map<string, string>()
  readonly counts: Record<string, number> = {}
  /** The names of `--field` whose path some record had. */
  readonly foundFields = new Set<string>()
  /** The number of identities by provider. */
  readonly providers = new Map<string, number>()
  private readonly seen = new Set<string>()
  private readonly userIds = new Map<string, string>()

  private readonly options: RowOptions
  private readonly related: RelatedRows

  constructor(options: RowOptions) {
    this.options = options
    this.related = new RelatedRows(this.userIds, options.now)
  }

  async rowsOf(record: ImportRecord): Promise<Row[]> {
    const rows = (await this.make(record)).filter(
      ({ table, id, values }) => isShort(values) || this.leave(id, `${table}: is longer than the 100 KB that D1 takes`),
    )
    for (const { table } of rows) this.counts[table] = (this.counts[table] ?? 0) + 1
    return rows
  }

  private async make(record: ImportRecord): Promise<Row[]> {
    if (record.kind === 'skipped') return this.skip(record.what, record.reason)
    if (record.kind === 'user') return this.userRows(record)
    const made = this.related.rowOf(record)
    return 'reason' in made ? this.skip(made.what, made.reason) : [made]
  }

  private async userRows(user: ImportedUser): Promise<Row[]> {
    const { what } = user
    const written = user.email?.trim()
    const given = written && readAddress(written)
    if (!user.id) return this.skip(what, 'has no id')
    if (written && !given) return this.skip(what, 'invalid email address')
    if (this.seen.has(`id ${user.id}`)) return this.skip(what, 'duplicate id')
    if (given && this.seen.has(`address ${given}`)) return this.skip(what, 'duplicate address')
    const phoneNumber = this.phoneOf(user)
    const identities = (user.identities ?? []).filter(({ providerId, accountId }) => {
      const fits = providerId !== '' && accountId !== '' && this.isFirst(`identity ${providerId} ${accountId}`)
      if (!fits) this.skip(what, `identity of ${providerId}: empty, or the identity of another user in this file`)
      return fits
    })
    const { maximumAccounts } = accountOptions.defaults.accountLinking
    for (const { providerId } of identities.splice(maximumAccounts)) {
      this.skip(what, `identity of ${providerId}: a user has at most ${maximumAccounts} linked accounts`)
    }
    const [passwordHash, username] = [this.hashOf(user), this.usernameOf(user)]
    if (!given && !phoneNumber && identities.length === 0 && !(username && passwordHash)) {
      return this.skip(what, 'has no sign-in method: no address, number, identity, or username with a password')
    }
    this.seen.add(`id ${user.id}`)
    if (given) this.seen.add(`address ${given}`)
    const id = stableId(user.id)
    this.userIds.set(user.id, id)
    const email = given || `imported-${digest(user.id)}@imported.invalid`
    const createdAt = user.createdAt ?? this.options.now
    const twoFactor = user.twoFactor && /^[A-Z2-7]{16,}=*$/i.test(user.twoFactor.secret) ? user.twoFactor : null
    if (user.twoFactor && !twoFactor) this.skip(what, 'two-factor secret is not base32')
    const values: RowValues<typeof users> = {
      id,
      name: oneLine(user.name) || given?.split('@')[0] || phoneNumber || user.username || 'Unnamed',
      email,
      emailVerified: Boolean(given) && user.emailVerified === true,
      addressVouchedBy: given && user.emailVerified === true ? 'import' : null,
      emailIsPlaceholder: !given,
      image: user.image && isImageAddress(user.image) ? user.image : null,
      createdAt,
      updatedAt: user.updatedAt ?? createdAt,
      additionalFields: this.fieldsOf(user),
      username,
      displayUsername: username && (oneLine(user.displayUsername).slice(0, 64) || user.username),
      phoneNumber,
      phoneNumberVerified: phoneNumber !== null && user.phoneNumberVerified === true,
      twoFactorEnabled: twoFactor !== null,
      role: user.role || 'user',
      banned: user.banned === true,
      banReason: user.banReason,
      banExpires: user.banned ? user.banExpires : null,
    }
    const needs: Row['needs'] = [['users', id]]
    const rows = [rowOf(users, values, [])]
    const times = { createdAt, updatedAt: user.updatedAt ?? createdAt }
    if (passwordHash) {
      const account = { id: rowId('credential', id), providerId: 'credential', accountId: id, userId: id }
      rows.push(rowOf(accounts, { ...account, password: passwordHash, ...times }, needs))
    }
    for (const { providerId, accountId, scope, ...tokens } of identities) {
      const account = { id: rowId(providerId, accountId), providerId, accountId, userId: id }
      const sealed = await this.sealTokens(tokens)
      rows.push(rowOf(accounts, { ...account, scope, ...sealed, ...times }, needs))
      this.providers.set(providerId, (this.providers.get(providerId) ?? 0) + 1)
    }
    if (twoFactor) rows.push(rowOf(twoFactors, await this.twoFactorOf(id, twoFactor), needs))
    return rows
  }

  private async twoFactorOf(
    userId: string,
    { secret, backupCodes }: TwoFactorSecret,
  ): Promise<RowValues<typeof twoFactors>> {
    const sealed = await this.seal(secret.replaceAll('=', '').toUpperCase())
    const codes = await Promise.all(backupCodes.map((code) => this.seal(code)))
    const id = rowId('two-factor', userId)
    return { id, userId, confirmed: true, secret: sealed, backupCodes: codes, createdAt: this.options.now }
  }

  private async sealTokens(tokens: {
    accessToken?: string | null
    refreshToken?: string | null
    idToken?: string | null
    accessTokenExpiresAt?: Date | null
    refreshTokenExpiresAt?: Date | null
  }): Promise<RowValues<typeof accounts>> {
    // Skipped without the secret: the provider issues new ones at the next sign-in.
    if (!this.options.secret) return {}
    const sealed = async (token?: string | null) => (token ? this.seal(token) : null)
    return {
      accessToken: await sealed(tokens.accessToken),
      refreshToken: await sealed(tokens.refreshToken),
      idToken: await sealed(tokens.idToken),
      accessTokenExpiresAt: tokens.accessTokenExpiresAt,
      refreshTokenExpiresAt: tokens.refreshTokenExpiresAt,
    }
  }

  private seal(text: string): Promise<string> {
    if (!this.options.secret) throw new MissingSecret()
    return seal([this.options.secret], text)
  }

  private hashOf({ what, passwordHash }: ImportedUser): string | null {
    if (!passwordHash) return null
    const hash = readHash(passwordHash)
    if (!hash) return this.leave(what, 'password: a hash of an unknown form')
    if (hash.tooMuch) return this.leave(what, `password: ${hash.tooMuch}`)
    if (hash.format !== 'scrypt-hex') this.samples.set(hash.cost, hash.sample())
    return passwordHash
  }

  private phoneOf({ what, phoneNumber }: ImportedUser): string | null {
    if (!phoneNumber) return null
    const number = phoneNumber.replace(/[\s().-]/g, '')
    if (!/^\+[1-9]\d{6,14}$/.test(number)) return this.leave(what, 'phone number: is not E.164')
    return this.isFirst(`number ${number}`) ? number : this.leave(what, 'phone number: duplicate')
  }

  private usernameOf({ what, username }: ImportedUser): string | null {
    const name = username?.toLowerCase()
    if (!name) return null
    if (!/^[a-z0-9_.]{1,64}$/.test(name)) return this.leave(what, 'username: may contain only letters, digits, _ and .')
    return this.isFirst(`username ${name}`) ? name : this.leave(what, 'username: duplicate')
  }

  private fieldsOf({ what, raw }: ImportedUser): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    for (const [name, path] of this.options.fields) {
      let value = raw
      for (const part of path.split('.')) {
        value =
          typeof value === 'object' && value !== null && Object.hasOwn(value, part)
            ? (value as Record<string, unknown>)[part]
            : undefined
      }
      if (value === undefined || value === null || value === '') continue
      this.foundFields.add(name)
      fields[name] = value
    }
    return JSON.stringify(fields).length > maxFieldsLength
      ? (this.leave(what, 'fields: longer than 50 KB') ?? {})
      : fields
  }

  private isFirst(key: string): boolean {
    if (this.seen.has(key)) return false
    this.seen.add(key)
    return true
  }

  private skip(what: string, reason: string): [] {
    this.skipped.push({ what, reason })
    return []
  }

  private leave(what: string, reason: string): null {
    this.skip(what, reason)
    return null
  }
}

/** D1 takes statements of up to 100 KB. */
const maxFieldsLength = 50_000

/**
 * Whether a row fits into one statement, with its columns and delimiters. A longer one would make its whole chunk fail.
 */
const isShort = (values: Row['values']): boolean => {
  const texts = Object.values(values).filter((value) => typeof value === 'string')
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text.replaceAll("'", "''")), 0) < 95_000
}

/** A value must be sealed, but the secret is missing. */
export class MissingSecret extends Error {}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** The same for the same input in every run. */
const rowId = (...parts: string[]): string => digest(JSON.stringify(parts))

/** The source's id if it is valid here, so that references of the product remain valid. */
export const stableId = (id: string): string => (/^[A-Za-z0-9_-]{1,128}$/.test(id) ? id : digest(id))

const oneLine = (text: string | null | undefined): string => plainName(text ?? '').slice(0, 256)
