/** What the tests use of the package, which brings no types. */
declare module 'wpapi' {
  interface Paging {
    readonly total: number
    readonly totalPages: number
    readonly links: Readonly<Record<string, string>>
    readonly next?: Request
  }

  type Item = Readonly<Record<string, unknown>>
  type Items = readonly Item[] & { readonly _paging?: Paging }

  interface Request {
    id(id: unknown): Request
    revisions(): Request
    file(file: Buffer, name: string): Request
    perPage(count: number): Request
    page(page: number): Request
    search(words: string): Request
    slug(slug: string): Request
    categories(ids: number | readonly number[]): Request
    status(status: string): Request
    order(direction: 'asc' | 'desc'): Request
    orderby(field: string): Request
    context(context: string): Request
    me(): Request
    param(name: string, value: unknown): Request
    embed(): Request
    auth(): Request
    setHeaders(name: string, value: string): Request
    extension(id: string): Request
    plugin(id: string): Request
    get(): Promise<Items & Item>
    headers(): Promise<Readonly<Record<string, string>>>
    create(fields: object): Promise<Item>
    update(fields: object): Promise<Item>
    delete(fields?: object): Promise<Item>
  }

  type Factory = () => Request

  class WPAPI {
    constructor(options: { endpoint: string; username?: string; password?: string; auth?: boolean })
    static discover(url: string): Promise<WPAPI>
    auth(credentials: { username: string; password: string }): WPAPI
    namespace(name: string): Readonly<Record<string, Factory>>
    root(path: string): Request
    posts: Factory
    pages: Factory
    media: Factory
    categories: Factory
    tags: Factory
    users: Factory
    comments: Factory
    search: Factory
    types: Factory
    taxonomies: Factory
    statuses: Factory
    settings: Factory
  }

  export default WPAPI
}
