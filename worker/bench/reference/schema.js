import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const date = (name) => integer(name, { mode: 'timestamp' })
const id = () => text('id').primaryKey()

export const user = sqliteTable('user', {
  id: id(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: integer('emailVerified', { mode: 'boolean' }).notNull(),
  image: text('image'),
  createdAt: date('createdAt').notNull(),
  updatedAt: date('updatedAt').notNull(),
})

const userId = () =>
  text('userId')
    .notNull()
    .references(() => user.id)

export const session = sqliteTable('session', {
  id: id(),
  expiresAt: date('expiresAt').notNull(),
  token: text('token').notNull().unique(),
  createdAt: date('createdAt').notNull(),
  updatedAt: date('updatedAt').notNull(),
  ipAddress: text('ipAddress'),
  userAgent: text('userAgent'),
  userId: userId(),
  activeOrganizationId: text('activeOrganizationId'),
})

export const account = sqliteTable('account', {
  id: id(),
  accountId: text('accountId').notNull(),
  providerId: text('providerId').notNull(),
  userId: userId(),
  accessToken: text('accessToken'),
  refreshToken: text('refreshToken'),
  idToken: text('idToken'),
  accessTokenExpiresAt: date('accessTokenExpiresAt'),
  refreshTokenExpiresAt: date('refreshTokenExpiresAt'),
  scope: text('scope'),
  password: text('password'),
  createdAt: date('createdAt').notNull(),
  updatedAt: date('updatedAt').notNull(),
})

export const verification = sqliteTable('verification', {
  id: id(),
  identifier: text('identifier').notNull(),
  value: text('value').notNull(),
  expiresAt: date('expiresAt').notNull(),
  createdAt: date('createdAt'),
  updatedAt: date('updatedAt'),
})

export const apikey = sqliteTable('apikey', {
  id: id(),
  name: text('name'),
  start: text('start'),
  prefix: text('prefix'),
  key: text('key').notNull(),
  userId: userId(),
  refillInterval: integer('refillInterval'),
  refillAmount: integer('refillAmount'),
  lastRefillAt: date('lastRefillAt'),
  enabled: integer('enabled', { mode: 'boolean' }),
  rateLimitEnabled: integer('rateLimitEnabled', { mode: 'boolean' }),
  rateLimitTimeWindow: integer('rateLimitTimeWindow'),
  rateLimitMax: integer('rateLimitMax'),
  requestCount: integer('requestCount'),
  remaining: integer('remaining'),
  lastRequest: date('lastRequest'),
  expiresAt: date('expiresAt'),
  createdAt: date('createdAt').notNull(),
  updatedAt: date('updatedAt').notNull(),
  permissions: text('permissions'),
  metadata: text('metadata'),
})

export const jwks = sqliteTable('jwks', {
  id: id(),
  publicKey: text('publicKey').notNull(),
  privateKey: text('privateKey').notNull(),
  createdAt: date('createdAt').notNull(),
})

export const organization = sqliteTable('organization', {
  id: id(),
  name: text('name').notNull(),
  slug: text('slug').unique(),
  logo: text('logo'),
  createdAt: date('createdAt').notNull(),
  metadata: text('metadata'),
})

const organizationId = () =>
  text('organizationId')
    .notNull()
    .references(() => organization.id)

export const member = sqliteTable('member', {
  id: id(),
  organizationId: organizationId(),
  userId: userId(),
  role: text('role').notNull(),
  createdAt: date('createdAt').notNull(),
})

export const invitation = sqliteTable('invitation', {
  id: id(),
  organizationId: organizationId(),
  email: text('email').notNull(),
  role: text('role'),
  status: text('status').notNull(),
  expiresAt: date('expiresAt').notNull(),
  inviterId: userId(),
})
