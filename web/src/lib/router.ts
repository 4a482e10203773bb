/**
 * Which page an address means. The table of routes stands in App.svelte; links are plain <a href>,
 * which this module follows without loading the page anew.
 */

export type Params = Record<string, string>;

export interface Route<Page> {
  pattern: string; // "/m/:id"
  page: Page;
}

export interface Found<Page> {
  page: Page;
  params: Params;
}

/** The first route whose pattern fits; `:name` stands for one piece of the path. */
export function findRoute<Page>(routes: readonly Route<Page>[], path: string): Found<Page> | null {
  const pieces = path.split("/").filter(Boolean);
  for (const route of routes) {
    const wanted = route.pattern.split("/").filter(Boolean);
    if (wanted.length !== pieces.length) continue;
    const params: Params = {};
    const fits = wanted.every((piece, n) => {
      const given = pieces[n] ?? "";
      if (!piece.startsWith(":")) return piece === given;
      params[piece.slice(1)] = decoded(given);
      return true;
    });
    if (fits) return { page: route.page, params };
  }
  return null;
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece; // a lone % is nobody's name, but no reason to break
  }
}

/** Go to an address of this page. */
export function navigate(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  dispatchEvent(new CustomEvent("turntile:moved", { detail: { replace } }));
}

/** Calls `moved` whenever the address changes; returns how to stop that. */
export function onMoved(moved: () => void): () => void {
  addEventListener("popstate", moved);
  addEventListener("turntile:moved", moved);
  document.addEventListener("click", followLink);
  return () => {
    removeEventListener("popstate", moved);
    removeEventListener("turntile:moved", moved);
    document.removeEventListener("click", followLink);
  };
}

const SERVED = /^\/(api|openapi\.json|metrics|healthz|readyz|robot-fight)(\/|$)/;

function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (SERVED.test(link.pathname)) return; // the server's own answers, not pages
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}
