/** The peer of `bench/rest` and `bench/site`: the least that Koa can do to answer. The body comes by the environment. */
import Koa from 'koa'

const body = process.env.BODY ?? '{}'
const type = process.env.BODY_TYPE ?? 'json'

const app = new Koa()
app.use((context) => {
  context.type = type
  context.body = body
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
