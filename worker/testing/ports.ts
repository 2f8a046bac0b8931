import { createServer } from 'node:net'

/**
 * Returns a free port, for a program that must know its port before it starts. It lies below the ranges
 * from which systems assign ports to connections. It is random, so that the next program gets another one.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}
