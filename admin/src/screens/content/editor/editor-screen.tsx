import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { ApiError } from '../../../api/error.ts'
import { read } from '../../../api/rest.ts'
import { __ } from '../../../i18n.ts'
import { pageData } from '../../../page-data.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { Page } from '../../../parts/page.tsx'
import { type ContentType, pathOfType, typeAt, useContentType, useTaxonomies } from '../types.ts'
import { Editor } from './editor.tsx'
import type { StoredPost } from './fields.ts'

/**
 * `/posts/new` and `/posts/<id>`. A new post keeps its editor when it is saved for the first time and gets its id and URL.
 */
export default function EditorScreen() {
  const { pathname } = useLocation()
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const name = typeAt(pathname)
  const place = useRef<Place>({ address: id, opened: id, visit: 0 })
  if (place.current.address !== id) {
    const { made, visit } = place.current
    // The URL of the post that was just created keeps the same editor; any other URL opens another one.
    place.current = id === made ? { ...place.current, address: id } : { address: id, opened: id, visit: visit + 1 }
  }
  const { opened, visit } = place.current
  return (
    <Sources
      key={visit}
      name={name}
      id={opened === 'new' ? undefined : Number(opened)}
      onCreated={(post) => {
        place.current = { ...place.current, made: String(post.id) }
        navigate(`/${pathOfType(name)}/${post.id}`, { replace: true })
      }}
    />
  )
}

/** The state of the editor, and the URL that it belongs to. */
interface Place {
  readonly address: string
  readonly opened: string
  /** A new key mounts a new editor. */
  readonly visit: number
  /** The id assigned to a new post. */
  readonly made?: string
}

interface SourcesProps {
  readonly name: string
  readonly id: number | undefined
  readonly onCreated: (post: StoredPost) => void
}

/** Loads what the editor needs before it opens. */
function Sources({ name, id, onCreated }: SourcesProps) {
  const type = useContentType(name)
  const taxonomies = useTaxonomies(name)
  return (
    <Loaded query={type} lines={8}>
      {(known) => (
        <Loaded query={taxonomies} lines={8}>
          {(all) => {
            const shared = { type: known, taxonomies: Object.values(all), onCreated }
            return id === undefined ? <Editor {...shared} post={undefined} /> : <Stored {...shared} id={id} />
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

type StoredProps = Omit<Parameters<typeof Editor>[0], 'post'> & { readonly id: number }

/** Always fetches the post again: a cached version may be outdated. */
function Stored({ id, type, ...others }: StoredProps) {
  const navigate = useNavigate()
  const post = useQuery({
    queryKey: ['edited', type.rest_base, id],
    queryFn: ({ signal }) => read<StoredPost>(`wp/v2/${type.rest_base}/${id}`, { context: 'edit' }, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isMissing = post.error instanceof ApiError && post.error.code === 'rest_post_invalid_id'
  useEffect(() => {
    if (isMissing)
      void typeOf(id, type).then((name) => name && navigate(`/${pathOfType(name)}/${id}`, { replace: true }))
  }, [isMissing, id, type, navigate])
  if (!post.data) {
    return (
      <Page title={type.labels.edit_item ?? __('Edit', 'pentad')}>
        <Loaded query={post} lines={8}>
          {() => null}
        </Loaded>
      </Page>
    )
  }
  return <Editor {...others} type={type} post={post.data} />
}

/** WordPress's editor URLs do not include the post type. */
async function typeOf(id: number, { slug }: ContentType): Promise<string | undefined> {
  for (const { name } of pageData.types.filter((type) => type.name !== slug)) {
    const { rest_base: base } = await read<ContentType>(`wp/v2/types/${name}`)
    const isMatch = await read(`wp/v2/${base}/${id}`, { _fields: 'id' }).then(
      () => true,
      () => false,
    )
    if (isMatch) return name
  }
  return undefined
}
