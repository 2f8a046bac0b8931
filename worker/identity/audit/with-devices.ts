import { type Device, describeDevice } from '../sessions/describe-device.ts'

/** Records as a screen shows them: each with its browser and system. */
export const withDevices = <Entry extends { userAgent: string | null }>(
  entries: Entry[],
): Promise<(Entry & { device: Device | null })[]> =>
  Promise.all(entries.map(async (entry) => ({ ...entry, device: await describeDevice(entry.userAgent ?? '') })))
