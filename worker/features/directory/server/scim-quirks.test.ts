import { describe, expect, it } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { scimDirectory } from '../../../testing/scim.ts'
import { quirksUser, scimQuirks } from '../../../testing/scim-quirks.ts'
import { directoryQuirks } from '../../../testing/scim-quirks-of-directories.ts'

describe('requests with the deviations of identity providers', () => {
  it('mean what the products mean', async () => {
    const { scim } = await scimDirectory(
      new TestApp({ rateLimit: { enabled: false }, enterprise: { enabled: true } }),
      'acme',
      'other.example',
    )
    const wrong: unknown[] = []
    for (const { product, deviation, request, headers = {}, status, body, check } of [
      ...scimQuirks,
      ...directoryQuirks,
    ]) {
      const ids: Record<string, string> = {
        user: (await scim('POST', '/Users', quirksUser)).body.id,
        boss: (await scim('POST', '/Users', { userName: 'boss@y.example' })).body.id,
      }
      const members = [{ value: ids.user }, { value: ids.boss }]
      ids.group = (await scim('POST', '/Groups', { displayName: 'G', members })).body.id
      const filled = <T>(value: T): T =>
        value === undefined
          ? value
          : JSON.parse(JSON.stringify(value).replace(/\{(user|boss|group)\}/g, (_, id) => ids[id]!))
      const [method, path, sent] = filled(request)
      const answer = await scim(method, encodeURI(path), sent, headers)
      const shown = check ? await scim('GET', encodeURI(filled(check))) : answer
      try {
        expect({ status: answer.status }).toEqual({ status })
        if (body !== undefined) expect(shown.body).toMatchObject(filled(body) as object)
      } catch {
        wrong.push({ product, deviation, status: answer.status, body: shown.body })
      }
      for (const kind of ['Users', 'Groups']) {
        for (const { id } of (await scim('GET', `/${kind}`)).body.Resources) await scim('DELETE', `/${kind}/${id}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
