import type { DeviceSession } from '../../lib/auth/endpoints.ts'

/** Sessions of equal devices at the same place, the newest first. */
export interface DeviceGroup {
  newest: DeviceSession
  sessions: DeviceSession[]
}

const sameDevice = ({ device, place, userAgent }: DeviceSession): string =>
  JSON.stringify([device?.browser ?? userAgent, device?.os, place?.city, place?.country])

/** Groups by device and place; the group that was active last is the first one. */
export function groupDevices(sessions: readonly DeviceSession[]): DeviceGroup[] {
  const groups = new Map<string, DeviceSession[]>()
  const newestFirst = [...sessions].sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
  for (const session of newestFirst) {
    const key = sameDevice(session)
    groups.set(key, [...(groups.get(key) ?? []), session])
  }
  return [...groups.values()].map((each) => ({ newest: each[0]!, sessions: each }))
}
