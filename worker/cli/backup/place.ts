import { statSync } from 'node:fs'
import { archiveTable, jurisdictionArguments } from '../account.ts'
import { CliError } from '../cli-error.ts'
import { placeArguments, type Target, wrangler } from '../wrangler.ts'
import { readWranglerConfig } from '../wrangler-config.ts'

/** Where a backup is. */
export type BackupPlace = { shown: string } & ({ kind: 'file'; file: string } | { kind: 'r2'; object: string })

/** @throws CliError */
export function placeOfBackup(given: string): BackupPlace {
  if (!given.startsWith('r2:')) return { kind: 'file', file: given, shown: given }
  const object = given.slice(3)
  if (!/^[a-z0-9][a-z0-9-]{1,62}\/[^/].*$/.test(object))
    throw new CliError(
      `${given} is not an object in R2.`,
      'name it r2:BUCKET/KEY, such as r2:backups/2026-11-28.ndjson.gz',
    )
  return { kind: 'r2', object, shown: given }
}

/** The file, or where the object is on this machine meanwhile. */
export const localNameOf = (place: BackupPlace): string =>
  place.kind === 'file' ? place.file : `.gatehouse-${place.object.replace(/[^\w.-]/g, '-')}`

/** The limit of wrangler for an object. */
const maxObject = 300_000_000

/** The bucket of backups is in the jurisdiction of the archive. */
const bucketArguments = ({ remote, config, env }: Target): string[] =>
  remote ? jurisdictionArguments(archiveTable(readWranglerConfig(config, env))?.jurisdiction) : []

const call = (verb: 'get' | 'put', object: string, file: string, target: Target): string[] => [
  ...['r2', 'object', verb, object, '--file', file, target.remote ? '--remote' : '--local'],
  ...(!target.remote && target.persistTo ? ['--persist-to', target.persistTo] : []),
  ...bucketArguments(target),
  ...placeArguments(target),
]

/** @throws CliError; the file remains */
export async function upload(
  { object, shown }: BackupPlace & { kind: 'r2' },
  file: string,
  target: Target,
): Promise<void> {
  if (statSync(file).size > maxObject)
    throw new CliError(
      `${file} is complete, but larger than the 300 MB that wrangler uploads.`,
      `upload the file as ${shown} with a program for S3, such as rclone`,
    )
  await wrangler(call('put', object, file, target), [
    [/bucket/i, `npx wrangler r2 bucket create ${object.split('/', 1)[0]}, then upload ${file}, which is complete`],
  ])
}

export const download = ({ object }: BackupPlace & { kind: 'r2' }, file: string, target: Target): Promise<string> =>
  wrangler(call('get', object, file, target), [
    [/not exist|not found|bucket/i, 'check the names of the bucket and the key'],
  ])
