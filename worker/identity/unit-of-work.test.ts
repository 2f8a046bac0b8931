import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { storedSecrets } from '../platform/stored-secrets.table.ts'
import { TestApp } from '../testing/harness.ts'
import { Overtaken, unitOfWork } from './unit-of-work.ts'
import type { SingleUse, Work } from './work.ts'

const open = () => new TestApp({}).openScope().scope

const row = (name: string, value = 'v') => ({ name, value, createdAt: new Date() })
const used = (token: string): SingleUse => ({ kind: 'test', token, expiresAt: new Date(Date.now() + 60_000) })
const refusal = (code: string) => {
  const error = new Error(code)
  return () => error
}

const names = async (scope: ReturnType<typeof open>) =>
  (await scope.db.select({ name: storedSecrets.name }).from(storedSecrets)).map(({ name }) => name)

const members = {
  run: true,
  use: true,
  require: true,
  unique: true,
  preserve: true,
  announce: true,
  defer: true,
  audit: true,
  commit: true,
} satisfies Record<keyof Work, true>

describe('a unit of work', () => {
  it('has nine methods: another one is an option of these, or a function that uses them', () => {
    expect(Object.keys(members)).toHaveLength(9)
    expect(Object.getOwnPropertyNames(Object.getPrototypeOf(unitOfWork(open()))).sort()).toEqual(
      ['constructor', ...Object.keys(members)].sort(),
    )
  })

  it('returns the rows of each statement by its handle, whatever is added before it', async () => {
    const scope = open()
    const work = unitOfWork(scope)
    work.run(scope.db.insert(storedSecrets).values(row('first')))
    const second = work.run(scope.db.insert(storedSecrets).values(row('second')).returning())
    expect(() => second.row).toThrow('after the commit')
    await work.commit()
    expect(second.row).toMatchObject({ name: 'second', value: 'v' })
    expect(await names(scope)).toEqual(['first', 'second'])
  })

  it('writes nothing when a condition does not hold, and throws the error that was declared for it', async () => {
    const scope = open()
    const work = unitOfWork(scope, refusal('stale'))
    work.run(scope.db.insert(storedSecrets).values(row('a')))
    work.require(sql`true`, refusal('never'))
    work.require(
      sql`not exists (select 1 from ${storedSecrets} where ${eq(storedSecrets.name, 'a')})`,
      refusal('taken'),
    )
    await expect(work.commit()).rejects.toThrow('taken')
    expect(await names(scope)).toEqual([])
  })

  it('fails with the error of a statement that changes no row, whatever is added after it', async () => {
    const scope = open()
    await scope.db.insert(storedSecrets).values(row('a'))
    const rename = (name: string) =>
      scope.db.update(storedSecrets).set({ value: 'new' }).where(eq(storedSecrets.name, name)).returning()
    const work = unitOfWork(scope)
    const renamed = work.run(rename('a'))
    work.audit({ action: 'update-user', subjectId: null })
    const sameRow = renamed.orFail(refusal('none'))
    await work.commit()
    expect(sameRow.row.value).toBe('new')
    const missed = unitOfWork(scope, refusal('stale'))
    const absent = missed.run([scope.db.insert(storedSecrets).values(row('b')), rename('c')])
    missed.audit({ action: 'update-user', subjectId: null })
    absent.orFail()
    await expect(missed.commit()).rejects.toThrow('stale')
    expect(await names(scope)).toEqual(['a'])
  })

  it('throws the error of the unit for a condition without one, and Overtaken for a unit without one', async () => {
    const scope = open()
    const named = unitOfWork(scope, refusal('stale'))
    named.require(sql`false`)
    await expect(named.commit()).rejects.toThrow('stale')
    const unnamed = unitOfWork(scope)
    unnamed.require(sql`false`)
    await expect(unnamed.commit()).rejects.toBeInstanceOf(Overtaken)
  })

  it('uses each of several records once, with an error for each', async () => {
    const scope = open()
    const first = unitOfWork(scope)
    first.use(used('one'))
    await first.commit()
    const both = unitOfWork(scope)
    both.use(used('two'), refusal('two was used'))
    both.use(used('one'), refusal('one was used'))
    await expect(both.commit()).rejects.toThrow('one was used')
    const again = unitOfWork(scope)
    again.use(used('two'))
    await again.commit()
    const late = unitOfWork(scope, refusal('late'))
    late.use(used('two'))
    await expect(late.commit()).rejects.toThrow('late')
  })

  it('maps a violated unique index to its error, other indexes to that of `*`, and leaves undeclared ones', async () => {
    const scope = open()
    await scope.db.insert(storedSecrets).values(row('a'))
    const insert = () => {
      const work = unitOfWork(scope)
      work.run(scope.db.insert(storedSecrets).values(row('a')))
      return work
    }
    const declared = insert()
    declared.unique('stored_secrets.name', refusal('the name is taken'))
    declared.unique('*', refusal('something is taken'))
    await expect(declared.commit()).rejects.toThrow('the name is taken')
    const other = insert()
    other.unique('*', refusal('something is taken'))
    await expect(other.commit()).rejects.toThrow('something is taken')
    await expect(insert().commit()).rejects.toThrow('UNIQUE constraint failed')
  })

  it('preserves a condition that held before, and does not ask for one that did not', async () => {
    const scope = open()
    const remains = sql`exists (select 1 from ${storedSecrets})`
    const removing = () => {
      const work = unitOfWork(scope)
      work.run(scope.db.delete(storedSecrets))
      work.preserve(remains, refusal('the last one'))
      return work
    }
    await scope.db.insert(storedSecrets).values(row('a'))
    await expect(removing().commit()).rejects.toThrow('the last one')
    expect(await names(scope)).toEqual(['a'])
    await scope.db.delete(storedSecrets)
    await removing().commit()
  })

  it('reacts after the commit, in order, and not at all when the batch is refused', async () => {
    const scope = open()
    const seen: string[] = []
    const writing = () => {
      const work = unitOfWork(scope)
      const insert = (name: string) => scope.db.insert(storedSecrets).values(row(name)).returning()
      for (const name of ['a', 'b'])
        work.run(insert(name), { afterCommit: ([inserted]) => void seen.push(inserted!.name) })
      return work
    }
    const refused = writing()
    refused.require(sql`false`)
    await refused.commit().catch(() => undefined)
    expect({ seen, names: await names(scope) }).toEqual({ seen: [], names: [] })
    await writing().commit(() => void seen.push('then'))
    expect({ seen, names: await names(scope) }).toEqual({ seen: ['a', 'b', 'then'], names: ['a', 'b'] })
  })
})
