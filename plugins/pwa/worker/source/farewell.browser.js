/** Stands where the worker was while nothing needs it: browsers that still have that one take this and are rid of both. */
import { leave } from './leave.browser.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(leave()))
