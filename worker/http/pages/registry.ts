import { registryOrigin } from '../../kit/registry-origin.ts'

/** The registry of the build, with the origin in place of the deployment's (client/registry/registry.ts). */
const source = '/registry/source.json'

interface Item {
  name: string
  files: { content?: string }[]
}

/**
 * A document of the registry in shadcn's format: `registry.json` lists the items without their texts, `<name>.json` is one
 * item. Its client calls this deployment. Decision 176.
 * @returns null for other names
 */
export async function registryDocument(assets: Fetcher, file: string, baseUrl: string): Promise<Response | null> {
  const built = await assets.fetch(new URL(source, baseUrl))
  if (!built.ok) return null
  const { items, ...registry } = JSON.parse((await built.text()).replaceAll(registryOrigin, baseUrl)) as {
    items: Item[]
  }
  const name = /^(.+)\.json$/.exec(file)?.[1]
  const item = items.find((one) => one.name === name)
  if (name !== 'registry' && !item) return null
  const answer = item
    ? { $schema: 'https://ui.shadcn.com/schema/registry-item.json', ...item }
    : {
        ...registry,
        items: items.map((one) => ({ ...one, files: one.files.map(({ content: _, ...named }) => named) })),
      }
  return Response.json(answer, { headers: { 'cache-control': 'public, max-age=300' } })
}
