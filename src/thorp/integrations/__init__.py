"""Ways in for agents that do not speak the agent protocol: assistants over MCP, learners over
OpenEnv, models and programs.

Behind every one of them are the same rules: a call becomes an action of the protocol
(`thorp.language`), and is read as one.
"""

__all__: list[str] = []
