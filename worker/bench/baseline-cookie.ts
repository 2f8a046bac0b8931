import { createHmac } from 'node:crypto'

const secret = 'baseline-secret-0123456789-0123456789-ab'
export const sign = (value: string): Buffer => createHmac('sha256', secret).update(value).digest()

/** A cookie that `/cookie` accepts. */
export const baselineCookie = (): string => `baseline=user.${sign('user').toString('base64url')}`
