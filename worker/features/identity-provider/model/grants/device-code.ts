import { seconds } from '../../../../kit/time.ts'
import type { AuthorizationDetail } from '../protocol/authorization-details.ts'
import type { Grant } from './grant.ts'

export interface DeviceOrigin {
  ipAddress: string | null
  place: { city: string | null; country: string | null }
}

/** A device that waits for its user to agree on another screen (RFC 8628). */
export interface WaitingDevice {
  clientId: string
  clientName: string
  icon: string | null
  scopes: string[]
  /** The requested resources, joined by spaces (RFC 8707). */
  resource?: string | null
  /** The requested authorization details (RFC 9396). */
  details?: AuthorizationDetail[] | null
  deviceCode: string
  status: 'pending' | 'approved' | 'denied'
  /** The sender of the request, which helps the user to notice a request of another user (RFC 8628, section 5.4). */
  origin: DeviceOrigin
  granted?: Grant
}

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** The kind of the record that a device code names. */
export const deviceKind = 'device-code'

/** Minimum number of seconds between two polls of a device. */
export const devicePollInterval = seconds(5)
