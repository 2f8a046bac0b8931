import { describe, expect, it } from 'vitest'
import type { DeviceSession } from '../../lib/auth/endpoints.ts'
import { groupDevices } from './devices.ts'

const session = (id: string, browser: string, city: string, minute: number) =>
  ({
    id,
    device: { browser, os: 'Linux' },
    place: { city, country: 'AT' },
    updatedAt: new Date(minute * 60_000),
  }) as unknown as DeviceSession

describe('groupDevices', () => {
  it('groups equal devices at the same place, the last active first', () => {
    const groups = groupDevices([
      session('a', 'Firefox', 'Vienna', 1),
      session('b', 'Chrome', 'Vienna', 2),
      session('c', 'Firefox', 'Vienna', 3),
      session('d', 'Firefox', 'Graz', 0),
    ])
    expect(groups.map(({ sessions }) => sessions.map(({ id }) => id))).toEqual([['c', 'a'], ['b'], ['d']])
    expect(groups[0]?.newest.id).toBe('c')
  })
})
