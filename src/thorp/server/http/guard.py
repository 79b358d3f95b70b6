"""The guard in front of every route: it checks permissions, and turns every error into an
answer."""

from collections.abc import Sequence
from pathlib import Path

from aiohttp import web

from thorp.kernel.errors import ThorpError
from thorp.server.access.principals import Principals, check_names, presented_token
from thorp.server.access.requests import Refused, refusal, refusal_by
from thorp.server.access.tokens import ADMIN_TOKEN, Permission, Role, least_role
from thorp.server.http.openapi import Handler, Route
from thorp.server.http.stage import Stage
from thorp.server.sockets.limited_protocol import answering


class Guard:
    """Checks the permission that a route needs, and answers every refusal in one form."""

    def __init__(
        self, table: Sequence[Route], stage: Stage, principals: Principals, data: Path
    ) -> None:
        self._permissions = {route.path: route.needed for route in table}
        self._stage = stage
        self._principals = principals
        self._data = data

    def needed_permission(self, route: web.AbstractRoute) -> Permission:
        """The permission that the table of routes demands. A route that is not in the table is an
        error in this program."""
        resource = route.resource
        if resource is None:
            raise LookupError(f"{route} is not in the table of routes")
        return self._permissions[resource.canonical]

    @web.middleware
    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request, or refuse it."""
        with answering(request):
            problem = request.match_info.http_exception
            if problem is not None:
                allow = {"Allow": problem.headers["Allow"]} if "Allow" in problem.headers else {}
                return refusal(
                    problem.status, problem.reason.lower().replace(" ", "_"), request.path, **allow
                )
            try:
                refused_role = self._refusal_of_role(request)
                return await handler(request) if refused_role is None else refused_role
            except Refused as refused:
                return refused.response
            except ThorpError as error:
                return refusal_by(error)
            except ConnectionResetError:
                if request.transport is not None and not request.transport.is_closing():
                    raise
                return refusal(400, "gone", "the client hung up")  # nobody reads this

    def _refusal_of_role(self, request: web.Request) -> web.Response | None:
        """The refusal of a request that its sender may not make, or not here; None if it may."""
        needed = self.needed_permission(request.match_info.route)
        if request.path == "/mcp":
            check_names(request)
        role = self._principals.role_of(request) if needed else Role.ANYONE
        if not role.may(needed):
            return self._refuse_role(request, role, needed)
        leader = self._stage.leader
        if leader is not None and (request.method == "POST" or request.path == "/v1/ws"):
            details = f"this server only shows what {leader} does; ask there"
            return refusal(421, "follower", details)
        return None

    def _refuse_role(self, request: web.Request, role: Role, needed: Permission) -> web.Response:
        """401 if a token is missing or unknown, with advice where to find one; 403 if the token's
        role lacks the permission."""
        wanted = least_role(needed).name.lower()
        if presented_token(request) is None:
            # Only a process of this machine is told the path of the directory.
            data = (
                str(self._data.absolute())
                if role is not Role.ANYONE
                else "the server's data directory"
            )
            details = f"a token is needed for the role {wanted}: {ADMIN_TOKEN} in {data} is one"
        elif role is Role.ANYONE:
            details = (
                f"this token is not known; {ADMIN_TOKEN} in the server's data directory is one"
            )
        else:
            details = f"this needs the role {wanted}; yours is {role.name.lower()}"
            return refusal(403, "forbidden", details)
        return refusal(401, "unauthorized", details, WWW_Authenticate="Bearer")
