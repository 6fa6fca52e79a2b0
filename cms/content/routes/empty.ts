import { z } from 'zod'
import type { RestError } from '../../../core/errors.ts'
import type { Access } from '../../../core/rest/types.ts'
import { editsSomething } from './edits-something.ts'
import { accessDenied, notFound } from './errors.ts'
import { contextSchema } from './parameters.ts'
import { NAMESPACE, type RouteParts } from './parts.ts'

const listSchema = z.object({ context: contextSchema })

/**
 * Routes that the block editor requests but that have no content here: widgets, block templates and the pattern directory. They return
 * empty lists, with WordPress's permissions.
 */
export function registerEmptyRoutes({ rest, content }: RouteParts): void {
  const permit =
    (code: string, message: string, capability: 'edit_theme_options' | null): Access =>
    async (request) => {
      if (capability === null ? await editsSomething(content, request) : await request.can(capability)) return true
      throw accessDenied(request.user, code, message)
    }

  function list(path: string, summary: string, access: Access): void {
    rest.registerRoute(NAMESPACE, {
      method: 'GET',
      path,
      access,
      summary,
      input: listSchema,
      response: z.array(z.never()),
      handler: () => [],
    })
  }

  /** One of a list that is empty. */
  function missing(path: string, error: () => RestError): void {
    rest.registerRoute(NAMESPACE, {
      method: 'GET',
      path: `${path}/{id:[\\w-]+}`,
      access: widgets,
      summary: 'Returns a 404 error.',
      input: listSchema.extend({ id: z.string() }),
      response: z.never(),
      handler() {
        throw error()
      },
    })
  }

  const widgets = permit(
    'rest_cannot_manage_widgets',
    'Sorry, you are not allowed to manage widgets on this site.',
    'edit_theme_options',
  )
  list('/sidebars', "Lists the theme's widget areas. Always empty.", widgets)
  list('/widgets', 'Lists widgets. Always empty.', widgets)
  list('/widget-types', 'Lists widget types. Always empty.', widgets)
  missing('/sidebars', () => notFound('rest_sidebar_not_found', 'No sidebar exists with that id.'))
  missing('/widgets', () => notFound('rest_widget_not_found', 'No widget was found with that id.'))
  missing('/widget-types', () => notFound('rest_widget_invalid', 'Invalid widget type.'))

  const templates = permit(
    'rest_cannot_manage_templates',
    'Sorry, you are not allowed to access the templates on this site.',
    'edit_theme_options',
  )
  list('/templates', 'Lists block templates. Always empty.', templates)
  list('/template-parts', 'Lists block template parts. Always empty.', templates)
  rest.registerRoute(NAMESPACE, {
    method: 'GET',
    path: '/templates/lookup',
    access: templates,
    summary: 'Returns the fallback template. Always empty.',
    input: z.object({
      slug: z.string().describe('The slug of the template to get the fallback for'),
      is_custom: z.boolean().optional().describe('Indicates if a template is custom or part of the template hierarchy'),
      template_prefix: z.string().optional().describe('The template prefix for the created template.'),
    }),
    response: z.object({}),
    handler: () => ({}),
  })

  const noFonts = permit('rest_cannot_read', 'Sorry, you are not allowed to access fonts.', 'edit_theme_options')
  list('/font-collections', 'Lists font collections. Always empty.', noFonts)
  list('/font-families', 'Lists installed font families. Always empty: themes include their own.', noFonts)
  const noIcons = permit('rest_cannot_view', 'Sorry, you are not allowed to view the registered icons.', null)
  list('/icons', 'Lists registered icons. Always empty.', noIcons)
  list('/icon-collections', 'Lists icon collections. Always empty.', noIcons)

  const noPatterns = 'Sorry, you are not allowed to view the registered block patterns.'
  list(
    '/block-patterns/patterns',
    'Lists registered patterns. Always empty.',
    permit('rest_cannot_view', noPatterns, null),
  )
  const noCategories = 'Sorry, you are not allowed to view the registered block pattern categories.'
  list(
    '/block-patterns/categories',
    'Lists categories of registered patterns. Always empty.',
    permit('rest_cannot_view', noCategories, null),
  )
  const noDirectory = 'Sorry, you are not allowed to browse the local block pattern directory.'
  list(
    '/pattern-directory/patterns',
    'Lists patterns from the WordPress.org directory. Always empty.',
    permit('rest_pattern_directory_cannot_view', noDirectory, null),
  )
}
