import { type Device, describeDevice } from './describe-device.ts'

/** Records as a screen shows them: each with its browser and system, if they are known. */
export const withDevices = <Entry extends { userAgent: string | null }>(
  entries: Entry[],
): Promise<(Entry & { device?: Device })[]> =>
  Promise.all(
    entries.map(async (entry) => {
      const device = await describeDevice(entry.userAgent ?? '')
      return device ? { ...entry, device } : entry
    }),
  )
