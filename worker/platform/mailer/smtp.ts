import { connect } from 'cloudflare:sockets'
import { Buffer } from 'node:buffer'
import { withoutEnd } from '../../kit/text-end.ts'
import { ms, seconds } from '../../kit/time.ts'
import { reasonOf, withoutAddresses } from '../log.ts'
import { isUndeliverable, type Transport, Undeliverable } from './mail.ts'
import { mimeMessage } from './mime.ts'

export interface SmtpServer {
  host: string
  port: number
  tls: 'implicit' | 'starttls' | 'none'
  user?: string
  password?: string
}

/** Timeout of the whole delivery of one mail. */
const timeout = seconds(20)

interface Reply {
  code: number
  lines: string[]
}

/** A reply that the command does not expect. */
class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** The address does not exist (RFC 5321, section 4.2.3); other permanent rejections may be our own fault. */
const noSuchRecipient = [550, 551, 553]

/** One side of an SMTP dialogue: a command, then its reply. */
class Dialogue {
  private reader: ReadableStreamDefaultReader<Uint8Array>
  private writer: WritableStreamDefaultWriter<Uint8Array>
  private received = ''
  private readonly decoder = new TextDecoder()

  constructor(private socket: Socket) {
    this.reader = socket.readable.getReader()
    this.writer = socket.writable.getWriter()
  }

  /** Reads one reply, which may have several lines: `250-` before the last one, `250 ` at its start (RFC 5321, 4.2). */
  private async reply(): Promise<Reply> {
    const lines: string[] = []
    for (;;) {
      const end = this.received.indexOf('\n')
      if (end < 0) {
        const { done, value } = await this.reader.read()
        if (done) throw new Error('the server hung up')
        this.received += this.decoder.decode(value, { stream: true })
        if (this.received.length > 65_536) throw new Error('the server sends no end of line')
        continue
      }
      const line = this.received.slice(0, end).trimEnd()
      this.received = this.received.slice(end + 1)
      lines.push(line.slice(4))
      if (line[3] !== '-') return { code: Number(line.slice(0, 3)), lines }
    }
  }

  /** Sends one command and reads its reply. @throws Error with `advice` for a reply of another hundred */
  async say(command: string | null, expected: 2 | 3, advice: string): Promise<string[]> {
    if (command !== null) await this.writer.write(new TextEncoder().encode(`${command}\r\n`))
    const { code, lines } = await this.reply()
    if (Math.floor(code / 100) === expected) return lines
    throw new Refused(code, `${code} ${withoutAddresses(lines.join(' '))}; ${advice}`)
  }

  /** Continues with encryption. Data that arrived before is not trusted, and none may exist (RFC 3207, section 4.2). */
  encrypt(): void {
    if (this.received) throw new Error('the server sent data between STARTTLS and TLS')
    this.reader.releaseLock()
    this.writer.releaseLock()
    this.socket = this.socket.startTls()
    this.reader = this.socket.readable.getReader()
    this.writer = this.socket.writable.getWriter()
  }

  /** Sends QUIT without waiting: the mail is accepted, and some servers never answer. */
  close(): void {
    this.writer
      .write(new TextEncoder().encode('QUIT\r\n'))
      .catch(() => {})
      .then(() => this.socket.close())
      .catch(() => {})
  }
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

async function authenticate(dialogue: Dialogue, abilities: string[], user: string, password: string): Promise<void> {
  const advice = 'check SMTP_USER and SMTP_PASSWORD'
  const methods =
    abilities
      .find((line) => /^AUTH[ =]/i.test(line))
      ?.toUpperCase()
      .split(/[ =]/) ?? []
  if (methods.includes('PLAIN')) {
    await dialogue.say(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 2, advice)
  } else if (methods.includes('LOGIN')) {
    await dialogue.say('AUTH LOGIN', 3, advice)
    await dialogue.say(base64(user), 3, advice)
    await dialogue.say(base64(password), 2, advice)
  } else {
    throw new Error('the server offers neither AUTH PLAIN nor AUTH LOGIN; remove SMTP_USER if it wants no password')
  }
}

/** Message submission (RFC 6409) over an open connection. */
async function submit(
  dialogue: Dialogue,
  server: SmtpServer,
  sender: string,
  to: string,
  message: string,
): Promise<void> {
  const greet = () => dialogue.say(`EHLO ${sender.split('@')[1]}`, 2, 'check SMTP_HOST and SMTP_PORT')
  await dialogue.say(null, 2, 'check SMTP_HOST and SMTP_PORT')
  let abilities = await greet()
  if (server.tls === 'starttls') {
    // An attacker who removes the word from the reply must not get the password and the mail without encryption.
    if (!abilities.some((line) => /^STARTTLS$/i.test(line))) {
      throw new Error('the server offers no STARTTLS; use its port for TLS, mostly 465')
    }
    await dialogue.say('STARTTLS', 2, 'use the port for TLS, mostly 465')
    dialogue.encrypt()
    abilities = await greet()
  }
  if (server.user) await authenticate(dialogue, abilities, server.user, server.password ?? '')
  await dialogue.say(`MAIL FROM:<${sender}>`, 2, 'check that this server may send for mail.from.address')
  await dialogue.say(`RCPT TO:<${to}>`, 2, 'the recipient may not exist').catch((thrown) => {
    if (thrown instanceof Refused && noSuchRecipient.includes(thrown.code)) throw new Undeliverable(thrown.message)
    throw thrown
  })
  await dialogue.say('DATA', 3, 'try again later')
  await dialogue.say(`${message}\r\n.`, 2, 'look the reply up at the mail provider')
}

/** Delivers mails over Worker sockets, one connection a mail: none may outlive its request. @throws with advice */
export function smtpTransport(server: SmtpServer): Transport {
  const secureTransport = { implicit: 'on', starttls: 'starttls', none: 'off' } as const
  return async (mail, from) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`no end after ${timeout} s; check SMTP_HOST and SMTP_PORT`)),
        ms(timeout),
      )
    })
    const socket = connect(
      { hostname: server.host, port: server.port },
      { secureTransport: secureTransport[server.tls], allowHalfOpen: false },
    )
    // A connection that fails rejects this promise and the pending read.
    socket.closed.catch(() => {})
    const dialogue = new Dialogue(socket)
    try {
      const message = await mimeMessage(mail, from, new Date())
      await Promise.race([submit(dialogue, server, from.address, mail.to, message), tooLate])
    } catch (thrown) {
      const reason = withoutEnd(reasonOf(thrown), '.')
      const advice = reason.includes('; ') ? '' : '; check SMTP_HOST, SMTP_PORT and the certificate of the server'
      const message = `The mail server ${server.host}:${server.port} did not take a mail: ${reason}${advice}.`
      throw isUndeliverable(thrown) ? new Undeliverable(message) : new Error(message, { cause: thrown })
    } finally {
      clearTimeout(timer)
      dialogue.close()
    }
  }
}
